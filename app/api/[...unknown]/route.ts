import { notHere } from '#lib/http/not-here.ts'

export const GET = notHere
export const POST = notHere
export const PUT = notHere
export const PATCH = notHere
export const DELETE = notHere
