export { describeTools } from './describe-tools.ts'
export { textTools } from './text-tools.ts'
