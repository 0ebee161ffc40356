import * as nextAuth from '#lib/auth/sign-in/next-auth.ts'
import { limitSignIn } from '#lib/http/limit-sign-in.ts'

export const GET = limitSignIn(nextAuth.GET)
export const POST = limitSignIn(nextAuth.POST)
