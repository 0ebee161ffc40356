/** An error that the user can fix. Commands print its message without a stack trace. */
export class Fault extends Error {}
