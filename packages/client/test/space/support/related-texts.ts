/**
 * What stands in a memory, what somebody writes later on the same subject, and what shares words with it and is about
 * something else. Short sentences, as agents write them.
 */

export type Related = readonly [there: string, related: string, other: string];

/** The rule was chosen on these. */
export const TUNED: readonly Related[] = [
  ["Releases are cut on Thursdays.", "Releases get cut on Thursdays", "Thursdays are free of meetings"],
  [
    "The launch budget is 50,000 euro.",
    "The launch budget is 60,000 euro",
    "The launch party needs a caterer",
  ],
  [
    "Staging deploys every Thursday.",
    "Staging is deployed on Tuesdays now",
    "Every Thursday the team eats together",
  ],
  ["Leo prefers short answers.", "Leo prefers brief answers", "Leo plays chess at the club"],
  [
    "Use pnpm, not npm, in this repository.",
    "This repository uses pnpm, not npm",
    "The repository is mirrored to Codeberg",
  ],
  [
    "The API key rotates every 90 days by a cron job.",
    "API keys rotate every 30 days by cron",
    "A cron job cleans the temporary folder",
  ],
  [
    "We chose Postgres 16 over SQLite for the billing service.",
    "The billing service uses SQLite",
    "The service desk closes at six",
  ],
  ["Noor is allergic to peanuts.", "Noor is allergic to nuts of all kinds", "Noor moved to the second floor"],
  ["The office closes at 18:00.", "The office closes at 20:00 in summer", "The office has new chairs"],
  [
    "Invoices are sent on the first of the month.",
    "Invoices go out on the fifth of each month",
    "The month of May has two holidays",
  ],
  [
    "The web server listens on port 8080.",
    "The web server now listens on port 3000",
    "The port of Genoa is on strike",
  ],
  ["Ada reports to Grace.", "Ada reports to Tomas since May", "Grace likes the window seat"],
  ["Backups run at 02:00 every night.", "Backups run at midnight", "The night bus leaves at two"],
  [
    "The database password is kept in Vault.",
    "The password of the database is kept in Doppler",
    "The vault door squeaks",
  ],
  [
    "Tests have to pass before a merge.",
    "A merge needs passing tests and one review",
    "Before lunch we water the plants",
  ],
  [
    "The customer Arden pays within 30 days.",
    "Arden pays within 14 days now",
    "The customer lounge was repainted",
  ],
  [
    "Feature flags live in LaunchDarkly.",
    "Feature flags moved from LaunchDarkly to Unleash",
    "The flags in front of the office are torn",
  ],
  ["The logo is dark green.", "The logo became light blue", "The green room is booked on Monday"],
  [
    "Maria speaks Portuguese and German.",
    "Maria also speaks Italian, besides Portuguese and German",
    "Maria cycles to work",
  ],
  ["The stand-up is at 9:30.", "The stand-up moved to 10:00", "The train at 9:30 is always late"],
  ["The mobile app supports iOS 15 and later.", "The mobile app needs iOS 17", "The support inbox is empty"],
  ["Errors are reported to Sentry.", "We report errors to Rollbar", "The annual report has typing errors"],
  ["Dana owns the checkout page.", "The checkout page is owned by Lee", "Dana owns two cats"],
  [
    "The company holiday party is on 12 December.",
    "The holiday party of the company is on 19 December",
    "The company car needs new tyres",
  ],
  [
    "Prices are shown with tax.",
    "Prices are shown without tax for businesses",
    "The tax adviser comes on Friday",
  ],
  ["Use tabs for indentation.", "Indentation uses two spaces, not tabs", "Close unused browser tabs"],
  [
    "The search index is rebuilt nightly.",
    "The search index is rebuilt every hour",
    "The search for a new office goes on",
  ],
  [
    "Emails are sent through Postmark.",
    "Emails are sent with SES since the outage",
    "The outage lasted an hour",
  ],
  [
    "The cache expires after five minutes.",
    "Cache entries expire after an hour",
    "The milk expires tomorrow",
  ],
  ["Tom drinks his coffee black.", "Tom drinks coffee with oat milk", "Tom runs the Berlin marathon"],
  [
    "The German site is translated by Anna.",
    "Karl translates the German site",
    "Anna wrote the design brief",
  ],
  ["Logs are kept for thirty days.", "Logs are kept for ninety days", "The wooden logs are kept in the shed"],
  ["The CI runs on GitHub Actions.", "CI runs on Buildkite", "The stock of CI stickers ran out"],
  ["Sam's birthday is 3 March.", "Sam's birthday is on 4 March", "Sam is on leave until Monday"],
  [
    "The parser is written in Rust.",
    "The parser was rewritten in Go",
    "Rust on the bicycle has to be removed",
  ],
  ["Refunds take five days.", "Refunds take up to ten days", "The course takes five days"],
  [
    "The kitchen is cleaned on Fridays.",
    "The kitchen is cleaned twice a week",
    "The fridge has to be replaced",
  ],
  [
    "Secrets must not be committed.",
    "Never commit secrets to the repository",
    "The committee meets in secret",
  ],
  [
    "The gateway limits requests to 100 per second.",
    "The gateway allows 500 requests per second",
    "The second floor has no heating",
  ],
  [
    "Nina takes minutes in the weekly meeting.",
    "The minutes of the weekly meeting are taken by Omar",
    "Nina is five minutes late",
  ],
];

/** And checked on these. */
export const KEPT_APART: readonly Related[] = [
  ["The user lives in Berlin.", "The user lives in Lisbon now", "Berlin has a new airport"],
  [
    "The dentist appointment is on 14 May at nine.",
    "The dentist appointment was moved to 16 May",
    "In May the garden is open",
  ],
  [
    "The app stores amounts as integers of cents.",
    "Amounts are stored as decimals in the app",
    "The app icon is round",
  ],
  ["Jo works from home on Wednesdays.", "Jo works from home on Mondays", "Jo collects old maps"],
  [
    "The error page shows a request id.",
    "A request id is shown on each error page",
    "The front page has a large picture",
  ],
  [
    "Webhooks are retried three times.",
    "Webhooks are retried for three days",
    "The concert was given three times",
  ],
  ["The frontend is built with React.", "The frontend is built with Svelte", "The neighbours react quickly"],
  [
    "Mia's favourite colour is orange.",
    "Mia's favourite colour changed to teal",
    "Mia has a flight on Sunday",
  ],
  [
    "Deploys are frozen in the last week of December.",
    "Deploys are frozen from 20 December",
    "The lake is frozen over",
  ],
  [
    "The support team answers within a day.",
    "The support team answers within four hours",
    "The team photo is in the hall",
  ],
  [
    "The contract with Vela ends in June.",
    "Vela's contract ends in September",
    "The film ends with a surprise",
  ],
  [
    "Images are resized by Cloudinary.",
    "Images are resized by imgproxy on our servers",
    "The images in the hall are for sale",
  ],
  [
    "The table users has two million rows.",
    "The users table has three million rows",
    "The table by the window is free",
  ],
  ["Paul reviews all migrations.", "All migrations are reviewed by two people", "Paul sings in a choir"],
  [
    "The newsletter goes out every second Tuesday.",
    "The newsletter goes out each Friday",
    "A letter came from the bank",
  ],
  ["Use British spelling in the docs.", "The docs use American spelling", "The British team won"],
  [
    "The rate limit for free accounts is 60 per hour.",
    "Free accounts have a rate limit of 100 per hour",
    "The museum is free on Sundays",
  ],
  ["The gym is open until ten.", "The gym is open around the clock", "An open question is the date"],
  [
    "Alice is the product manager of search.",
    "Bob became the product manager of search",
    "Alice painted the door",
  ],
  ["Sessions expire after 30 minutes.", "A session expires after two hours", "The visa expires in spring"],
  [
    "The invoice address is Main Street 5.",
    "The invoice address changed to Park Lane 9",
    "The street is closed for works",
  ],
  [
    "The cluster runs Kubernetes 1.28.",
    "The cluster was upgraded to Kubernetes 1.31",
    "A cluster of grapes costs two euro",
  ],
  ["Kim is vegetarian.", "Kim is vegan, no longer vegetarian", "Kim bought a tent"],
  [
    "Commits follow the conventional format.",
    "Commits no longer follow the conventional format",
    "The conventional oven is broken",
  ],
  [
    "The demo for Orbit is on Thursday.",
    "The Orbit demo was moved to Monday",
    "The orbit of the moon is tilted",
  ],
  [
    "Passwords need twelve characters.",
    "Passwords need at least sixteen characters",
    "The novel has too many characters",
  ],
  ["The train to Basel leaves at 7:02.", "The Basel train leaves at 7:32", "He leaves the firm in autumn"],
  [
    "The team uses Linear for issues.",
    "The team tracks issues in Jira",
    "The new issue of the magazine is out",
  ],
  ["Rosa's phone number ends in 4471.", "Rosa's phone number ends in 9920", "Rosa sold her piano"],
  [
    "The warehouse is in Rotterdam.",
    "The warehouse moved from Rotterdam to Antwerp",
    "Rotterdam hosts the conference",
  ],
  ["Reports are exported as CSV.", "Reports are exported as PDF", "The firm exported twice as much wine"],
  ["The printer is on floor 3.", "The printer moved to floor 5", "The floor was polished"],
  [
    "The subscription costs 9 euro a month.",
    "The subscription costs 12 euro a month",
    "The repair costs more than a new one",
  ],
  [
    "Ben is the on-call engineer this week.",
    "Ana is on-call engineer this week instead of Ben",
    "An engineer drew the bridge",
  ],
  ["The wifi password is on the fridge.", "The wifi password was changed", "The fridge hums at night"],
  [
    "The landing page is cached for an hour.",
    "The landing page is cached for a day",
    "The landing of the plane was rough",
  ],
  ["Unit tests use Vitest.", "Unit tests use Jest in this package", "The driving test is on Friday"],
  [
    "The lease of the office runs until 2027.",
    "The office lease was extended to 2030",
    "The river runs past the mill",
  ],
  [
    "Max wants summaries in bullet points.",
    "Max wants summaries as plain text, not bullet points",
    "Max missed the bus",
  ],
  [
    "The default language is English.",
    "The default language is now German",
    "English breakfast is served until noon",
  ],
];

/** Stand beside them, so that words are as rare as in a memory that is in use. */
export const BACKGROUND: readonly string[] = [
  "The roof terrace can be booked for evenings.",
  "Bikes are parked behind the house.",
  "The heating is set to 20 degrees.",
  "New laptops arrive in the first week.",
  "The firm sponsors a chess tournament.",
  "Plants are watered by the front desk.",
  "The lift is out of order on Sundays.",
  "Lunch is paid on Fridays.",
];
