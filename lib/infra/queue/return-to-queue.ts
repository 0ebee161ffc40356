/** Thrown by a job to return it to the queue for another process. The queue does not log it as an error. */
export class ReturnToQueue extends Error {}
