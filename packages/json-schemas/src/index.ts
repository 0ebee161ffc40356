export { checkSchemas, schemasOf } from './check-schemas.ts'
export { checkValue } from './check-value.ts'
export { notInTime, type Schemas, schemasWith } from './schemas.ts'
