/**
 * The built packages that processes of the chaos run: of the checkout that CAMBIUM_BUILD names, or of this one.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { loadProduct, type Product } from "../product.ts";

export const builtProduct = (): Promise<Product> =>
  loadProduct(process.env.CAMBIUM_BUILD ?? fileURLToPath(new URL("../../..", import.meta.url)));
