'use client'
import { Broken } from '#components/shell/broken.tsx'

export default Broken
