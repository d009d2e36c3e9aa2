/** Somewhere a log can be opened, closed, and opened again. */
interface PlaceOf<Log> extends AsyncDisposable {
  open(): Promise<Log>;
}

/** Runs each test of a contract with a log of its own, which is closed after it. */
export const withOpened =
  <Log extends { close(): Promise<void> }, Place extends PlaceOf<Log>>(create: () => Promise<Place>) =>
  (run: (log: Log, place: Place) => Promise<void>): (() => Promise<void>) =>
  async () => {
    await using place = await create();
    const log = await place.open();
    try {
      await run(log, place);
    } finally {
      await log.close();
    }
  };
