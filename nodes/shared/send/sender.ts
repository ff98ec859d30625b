import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { allowedDomainsFor } from '../olderEngines';
import type { Clock } from '../limiter/clock';
import { TimeLimits } from './timeLimits';
import type { Redactor } from '../answer/redactor';
import { addressesOf, type GatewayAddresses } from './addresses';
import type { Sender } from './attempt';
import { CREDENTIAL_TYPE, type GatewayCredential } from './credential';
import type { DecryptedCredential, HostContext } from './transport';

/**
 * What all requests of a run need.
 *
 * @param signal cancels everything
 * @param redactor knows the key
 * @throws GatewayFailure (kind `settings`) when the credential's addresses cannot be used
 */
export function senderOf(
	context: HostContext,
	credential: GatewayCredential,
	signal: AbortSignal | undefined,
	clock: Clock,
	redactor: Redactor,
): Sender {
	const addresses = addressesOf(credential);
	return {
		context,
		credential: decrypted(credential),
		addresses,
		allowedDomains: allowedDomainsOf(context, credential, addresses),
		signal,
		clock,
		limits: new TimeLimits(clock),
		redactor,
	};
}

function decrypted(credential: GatewayCredential): DecryptedCredential {
	return {
		id: '',
		name: CREDENTIAL_TYPE,
		type: CREDENTIAL_TYPE,
		data: credential as unknown as DecryptedCredential['data'],
	};
}

/** The domains that n8n's own restriction on the credential allows. */
function allowedDomainsOf(
	context: HostContext,
	credential: GatewayCredential,
	addresses: GatewayAddresses,
): string | undefined {
	return allowedDomainsFor({
		node: context.getNode(),
		credentialData: credential as unknown as ICredentialDataDecryptedObject,
		url: addresses.base,
		pinnedUrl: addresses.base,
	});
}
