import * as oauth from 'openid-client'
import type { OAuthConfig } from '#lib/protocol/connection/integration.ts'
import { grantedBy } from './granted.ts'
import { mayBePlain } from './look-up.ts'
import { type Provider, ProviderRefused } from './provider.ts'

const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code'

type Client = { service: string; config: OAuthConfig; resource: Record<string, string> }

/** The two requests of the device authorization grant (RFC 8628, 3.1 and 3.4), each asked once. */
export const deviceFlow = (
  ask: <T>(work: (server: oauth.Configuration) => Promise<T>) => Promise<T>,
  { service, config, resource }: Client
): Pick<Provider, 'requestCode' | 'redeemCode'> => ({
  requestCode: scopes =>
    ask(async server => {
      if (server.serverMetadata().device_authorization_endpoint === undefined)
        throw new ProviderRefused(
          `${service} does not support connecting with a code. Use another way to connect.`
        )
      const given = await oauth.initiateDeviceAuthorization(server, {
        ...resource,
        ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') })
      })
      const { verification_uri_complete: complete = '' } = given
      if (!isPage(given.verification_uri))
        throw new ProviderRefused(`${service} returned a verification address that is not a web page.`)
      return {
        code: {
          deviceCode: given.device_code,
          userCode: given.user_code.slice(0, 100),
          verificationUri: given.verification_uri,
          ...(isPage(complete) ? { verificationUriComplete: complete } : {})
        },
        // An attempt ends sooner anyway; a provider can name any number.
        expiresIn: Math.min(given.expires_in, 86_400),
        // Without a word, five seconds (3.2).
        interval: Math.min(Math.max(given.interval ?? 5, 1), 60)
      }
    }),
  redeemCode: deviceCode =>
    ask(async server => {
      try {
        const asked = { device_code: deviceCode, ...resource }
        return grantedBy(await oauth.genericGrantRequest(server, deviceCodeGrant, asked), config)
      } catch (error) {
        const said = error instanceof oauth.ResponseBodyError ? error.error : undefined
        if (said === 'authorization_pending' || said === 'slow_down' || said === 'expired_token') return said
        throw error
      }
    })
})

/** It becomes a link on a page of ours. */
const isPage = (address: string): boolean => URL.parse(address)?.protocol === 'https:' || mayBePlain(address)
