/** Thrown by a job that this process does not do, so that another one gets it. The queue does not log it as an error. */
export class PutBack extends Error {}
