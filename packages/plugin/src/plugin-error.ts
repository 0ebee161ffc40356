/** The gRPC status of a failed call. For models, docs/plugins-grpc.md says which of them the server retries. */
export type PluginStatus =
  | 'UNKNOWN'
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'OUT_OF_RANGE'
  | 'UNIMPLEMENTED'
  | 'PERMISSION_DENIED'
  | 'UNAUTHENTICATED'
  | 'RESOURCE_EXHAUSTED'
  | 'FAILED_PRECONDITION'
  | 'ABORTED'
  | 'DATA_LOSS'
  | 'UNAVAILABLE'
  | 'INTERNAL'

/** An error with a gRPC status. The server shows its message. Any other error has the status UNKNOWN. */
export class PluginError extends Error {
  readonly status: PluginStatus

  constructor(status: PluginStatus, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PluginError'
    this.status = status
  }
}
