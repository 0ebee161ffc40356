/** Something went wrong that the person at the terminal can do something about: shown without a stack. */
export class Fault extends Error {}
