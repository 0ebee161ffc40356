import type { OAuthConfig } from '@waystation/protocol/connection/integration.ts'
import * as oauth from 'openid-client'
import { mayUseHttp } from './discover-metadata.ts'
import { parseGrant } from './parse-grant.ts'
import { type Provider, ProviderError } from './provider.ts'

const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code'

type Client = { service: string; config: OAuthConfig; resource: Record<string, string> }

/** Returns the two requests of the device authorization grant (RFC 8628, 3.1 and 3.4). Each runs once. */
export const deviceFlow = (
  ask: <T>(work: (server: oauth.Configuration) => Promise<T>) => Promise<T>,
  { service, config, resource }: Client
): Pick<Provider, 'requestCode' | 'redeemCode'> => ({
  requestCode: scopes =>
    ask(async server => {
      if (server.serverMetadata().device_authorization_endpoint === undefined)
        throw new ProviderError(
          `${service} does not support connecting with a code. Use another way to connect.`
        )
      const response = await oauth.initiateDeviceAuthorization(server, {
        ...resource,
        ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') })
      })
      const { verification_uri_complete: complete = '' } = response
      if (!isPage(response.verification_uri))
        throw new ProviderError(`${service} returned a verification address that is not a web page.`)
      return {
        code: {
          deviceCode: response.device_code,
          userCode: response.user_code.slice(0, 100),
          verificationUri: response.verification_uri,
          ...(isPage(complete) ? { verificationUriComplete: complete } : {})
        },
        // The provider can send any number, and an attempt expires sooner anyway.
        expiresIn: Math.min(response.expires_in, 86_400),
        // The default is five seconds (3.2).
        interval: Math.min(Math.max(response.interval ?? 5, 1), 60)
      }
    }),
  redeemCode: deviceCode =>
    ask(async server => {
      try {
        const parameters = { device_code: deviceCode, ...resource }
        return parseGrant(await oauth.genericGrantRequest(server, deviceCodeGrant, parameters), config)
      } catch (error) {
        const errorCode = error instanceof oauth.ResponseBodyError ? error.error : undefined
        if (
          errorCode === 'authorization_pending' ||
          errorCode === 'slow_down' ||
          errorCode === 'expired_token'
        )
          return errorCode
        throw error
      }
    })
})

/** Returns whether the address is safe to show as a link on a page of this server. */
const isPage = (address: string): boolean => URL.parse(address)?.protocol === 'https:' || mayUseHttp(address)
