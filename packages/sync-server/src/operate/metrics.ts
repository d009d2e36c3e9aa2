/**
 * What a relay counts, in the text format of Prometheus (version 0.0.4), and the small server that shows it. It listens
 * on an address of its own, so that a proxy in front of the relay does not publish it, and who collects needs no token.
 *
 * @module
 */
import { statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { CambiumError } from "@cambium/core";
import type { RelayEvent } from "../events.js";

type Labels = Readonly<Record<string, string>>;

interface Series {
  readonly kind: "counter" | "gauge";
  readonly help: string;
  readonly values: Map<string, number>;
}

const SAMPLE_MS = 20;
const REFUSED = "What was refused, by kind.";
const REFUSALS: readonly RelayEvent["type"][] = [
  ...["address-shut", "quota-exceeded", "session-cut", "segments-retried"],
  ...["changes-refused", "changes-set-aside", "document-refused"],
] as const;

/** Counts the events of a relay. */
export class Metrics {
  readonly #series = new Map<string, Series>();
  readonly #lag = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  readonly #files: readonly string[];
  readonly #startedAtMs = performance.timeOrigin;

  /** @param files - the log's files, whose sizes are shown */
  constructor(files: readonly string[]) {
    this.#files = files;
    this.#lag.enable();
    this.#set("cambium_relay_sessions", "Sessions that are open.", 0);
    this.#count("cambium_relay_commits_total", "Transactions that stored something.", {}, 0);
    this.#count("cambium_relay_changes_total", "Changes stored.", {}, 0);
    this.#count("cambium_relay_commit_failures_total", "Transactions that failed.", {}, 0);
    this.#count("cambium_relay_errors_total", "Other failures inside the relay.", {}, 0);
    // From the beginning: who alerts on an increase would miss the first.
    for (const kind of REFUSALS) this.#count("cambium_relay_refusals_total", REFUSED, { kind }, 0);
  }

  /** Takes an event into account. */
  take(event: RelayEvent): void {
    switch (event.type) {
      case "session-opened":
        this.#count("cambium_relay_sessions_opened_total", "Sessions opened, by role.", { role: event.role });
        this.#count("cambium_relay_sessions", "", {});
        break;
      case "session-closed":
        this.#count("cambium_relay_sessions_closed_total", "Sessions closed, by code.", {
          code: `${event.code}`,
        });
        this.#count("cambium_relay_sessions", "", {}, -1);
        break;
      case "committed":
        this.#count("cambium_relay_commits_total", "", {});
        this.#count("cambium_relay_changes_total", "", {}, event.changes);
        break;
      case "commit-failed":
        this.#count("cambium_relay_commit_failures_total", "", {});
        break;
      case "admin-act":
        this.#count("cambium_relay_admin_acts_total", "What admins did.", { act: event.act });
        break;
      case "clock-set-back": // nothing was refused
        break;
      case "failed":
        this.#count("cambium_relay_errors_total", "", {});
        break;
      default:
        if (event.level === "warn" || event.level === "error")
          this.#count("cambium_relay_refusals_total", REFUSED, { kind: event.type });
    }
  }

  /** All of it, as Prometheus reads it. */
  text(): string {
    const { rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    this.#set("process_resident_memory_bytes", "Memory in use.", rss);
    this.#set("process_cpu_seconds_total", "Processor time.", (user + system) / 1e6, {}, "counter");
    this.#set("process_start_time_seconds", "When it started.", this.#startedAtMs / 1_000);
    for (const quantile of ["0.5", "0.99"]) {
      // What is measured is the time between two samples.
      const late = this.#lag.percentile(Number(quantile) * 100) / 1e9 - SAMPLE_MS / 1_000;
      const seconds = Math.max(0, late);
      this.#set("cambium_relay_loop_delay_seconds", "How long work waited for its turn.", seconds, {
        quantile,
      });
    }
    this.#lag.reset();
    const sizes = this.#files.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    this.#set(
      "cambium_relay_log_bytes",
      "Size of the log's files.",
      sizes.reduce((sum, size) => sum + size, 0),
    );
    return `${[...this.#series].map(seriesText).join("\n")}\n`;
  }

  close(): void {
    this.#lag.disable();
  }

  #count(name: string, help: string, labels: Labels, by = 1): void {
    const series = this.#of(name, help, "counter");
    series.values.set(labelText(labels), (series.values.get(labelText(labels)) ?? 0) + by);
  }

  #set(name: string, help: string, value: number, labels: Labels = {}, kind: Series["kind"] = "gauge"): void {
    this.#of(name, help, kind).values.set(labelText(labels), value);
  }

  #of(name: string, help: string, kind: Series["kind"]): Series {
    const series = this.#series.get(name) ?? { kind, help, values: new Map<string, number>() };
    this.#series.set(name, series);
    return series;
  }
}

const seriesText = ([name, { kind, help, values }]: [string, Series]): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    ...[...values].map(([labels, value]) => `${name}${labels} ${value}`),
  ].join("\n");

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** Where the metrics are shown. */
export interface MetricsListener extends AsyncDisposable {
  /** With its path. */
  readonly url: string;
}

/** @throws {CambiumError} BAD_INPUT when the address cannot be used */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    const isKnown = request.url === "/metrics" && request.method === "GET";
    response.writeHead(isKnown ? 200 : 404, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    response.end(isKnown ? metrics.text() : "GET /metrics\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      reject(
        new CambiumError("BAD_INPUT", `The metrics cannot be shown on ${host} port ${port}.`, {
          hint: "Choose others with --metrics-host and --metrics-port.",
          cause,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${shownHost}:${(server.address() as AddressInfo).port}/metrics`,
    [Symbol.asyncDispose]: async () => {
      metrics.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
