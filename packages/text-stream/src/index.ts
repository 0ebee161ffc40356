export { chatCompletionsWire } from './chat-completions-wire.ts'
export { sdkFastPath } from './sdk-fast-path.ts'
export { textFastPath } from './text-fast-path.ts'
