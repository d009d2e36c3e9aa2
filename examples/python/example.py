"""Remembers, recalls, revises without overwriting anybody, and watches a space."""

import threading

from cambium import Cambium, CambiumError


def main():
    memory = Cambium(agent="tour-guide")

    rent = memory.remember("The rent is 900 euro.", category="money", tags=["home"])
    memory.remember("Tea is in the left cupboard.", category="kitchen")
    for found in memory.recall("How much is the rent?", limit=1):
        print("recalled:", found["content"])

    # Somebody else writes between our reading and our writing.
    read = memory.get(rent["id"])
    Cambium(agent="landlord").revise(rent["id"], content="The rent is 950 euro.")
    try:
        memory.revise(rent["id"], content="The rent is 920 euro.", expect=read["record"])
    except CambiumError as error:
        print("refused:", error.code)
    now = memory.get(rent["id"])
    print(f"now: {now['content']} (version {now['version']}, by {now['by']['agent']})")

    # Whatever else the interface has, `call` reaches.
    versions = memory.call("GET", f"/memories/{rent['id']}/history")["versions"]
    print("history:", "; ".join(version["change"]["summary"] for version in versions))

    try:
        memory.get("00000000-0000-7000-8000-000000000000")
    except CambiumError as error:
        print("failed:", error.code)

    watch(memory)


def watch(memory):
    """Prints what happens while another thread writes."""
    for _id, event, data in memory.events():
        if event == "ready":
            writer = threading.Thread(target=memory.remember, args=("Somebody is watching.",))
            writer.start()
        if event == "changed" and "branch" in data:
            print("event:", event)
            break
    writer.join()


if __name__ == "__main__":
    main()
