/*
 * The script and the style of pages, and the hashes by which their policy allows them. The build and the tests put the texts
 * made of `src/page` in the place of this module: see build/page-assets.mjs.
 */
export const script: string = "";
export const style: string = "";
export const scriptHash: string = "";
export const styleHash: string = "";
