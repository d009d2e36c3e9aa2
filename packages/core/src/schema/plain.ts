/**
 * What was decoded, before anything is known of its shape.
 *
 * @module
 */
export type Plain = { readonly [key: string]: unknown };
