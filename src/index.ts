export { apply, plan } from "./reconcile.ts";
