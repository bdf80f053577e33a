/**
 * Contains the script and style for HTML pages, and their hashes for the content security policy. The build and the tests replace
 * this module with the bundle from `src/page` (build/page-assets.mjs).
 */

export const script: string = "";
export const style: string = "";
export const scriptHash: string = "";
export const styleHash: string = "";
