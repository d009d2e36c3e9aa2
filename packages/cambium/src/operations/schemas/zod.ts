/**
 * What the definitions use of zod. By name: holding all of it loads all of it.
 *
 * @module
 */
import { array, enum as enumeration, literal, number, strictObject, string, union, unknown } from "zod";

export const z = { array, enum: enumeration, literal, number, strictObject, string, union, unknown };
