/**
 * The thread that reads histories. Its setup comes with its start, its tasks as messages.
 *
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import { type ReadingSetup, serveReading } from "./reading-work.js";

if (parentPort !== null) serveReading(parentPort, workerData as ReadingSetup);
