import { useAddress } from "../address/use-address.ts";
import { dayOf } from "../i18n/dates.ts";
import { languageOf } from "../ui/words.tsx";
import type { Flag } from "./use-days.ts";

/** Names nearer than this to each other, in percent, would lie on top of each other. */
const ROOM = 15;
/** Names that begin further right than this are written to the left of their flag. */
const RIGHT = 78;

interface FlagsProps {
  readonly flags: readonly Flag[];
  readonly day: string;
  readonly placeOf: (day: string) => number;
}

/** Named checkpoints above the bars: what has no room is a tick. */
export function Flags({ flags, day, placeOf }: FlagsProps) {
  const { set } = useAddress();
  return (
    <div className="flags">
      {placed(flags, placeOf).map(({ name, at, place, hasRoom }) => {
        const isLater = dayOf(at) > day;
        const side = place > RIGHT ? " r" : "";
        return (
          <button
            key={`${name} ${at}`}
            type="button"
            className={`flag${hasRoom ? "" : " bare"}${isLater ? " later" : ""}${side}`}
            style={{ left: `${place}%` }}
            title={name}
            onClick={() => set({ at: new Date(at).toISOString() })}
          >
            <b className={hasRoom ? "" : "vh"} lang={languageOf(name)}>
              {name}
            </b>
          </button>
        );
      })}
    </div>
  );
}

/** The newest have their names first. */
export function placed(flags: readonly Flag[], placeOf: (day: string) => number) {
  let taken = Number.POSITIVE_INFINITY;
  return flags
    .map((flag) => ({ ...flag, place: placeOf(dayOf(flag.at)) }))
    .filter(({ place }) => place >= 0 && place <= 100)
    .toSorted((one, other) => other.at - one.at)
    .map((flag) => {
      const hasRoom = taken - flag.place >= ROOM;
      if (hasRoom) taken = flag.place;
      return { ...flag, hasRoom };
    });
}
