import { existsSync } from 'node:fs'
import { needs } from '#tests/support/needs.ts'

/** Tests that generate Go code from the protos. */
export const withGoPlugin = needs('protoc-gen-go', existsSync('/usr/bin/protoc-gen-go'))
