/** Returns its argument. The types are in `index.d.ts`, and the server checks the fields when it starts. */
export const defineTool = tool => tool
