export { demoModel } from './model.ts'
