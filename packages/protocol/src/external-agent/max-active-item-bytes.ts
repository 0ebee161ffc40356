/** Maximum size of an active item's content, in bytes of JSON. */
export const maxActiveItemBytes = 256 * 1024
