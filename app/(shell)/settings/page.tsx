/** The profile, or on small screens the list of sections. */
export { default, metadata } from './profile/page.tsx'
