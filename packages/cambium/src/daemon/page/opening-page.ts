/**
 * What a one-time link leads to: a page of two lines that trades the code behind the `#`, which no browser sends and
 * no log has, for a session, and takes it out of the address.
 *
 * @module
 */

/** Where the page keeps its half of the session. */
const TOKEN_KEY = "cambium-page";

export const OPENING_HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Cambium</title>
<link rel="icon" href="data:,">
<p id="said">Opening …</p>
<script src="/ui/open.js"></script>
</html>
`;

export const OPENING_SCRIPT = `"use strict";
const code = location.hash.slice(1);
history.replaceState(null, "", "/ui/open");
const said = document.getElementById("said");
fetch("/ui/session", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ code }),
}).then(async (answer) => {
  const { token, error } = await answer.json();
  if (!answer.ok) throw new Error([error.message, error.hint].filter(Boolean).join(" "));
  localStorage.setItem("${TOKEN_KEY}", token);
  location.replace("/ui/");
}).catch((error) => {
  said.textContent = error.message;
});
`;
