import type { IExecuteFunctions } from 'n8n-workflow';
import { settingsFailure } from '../errors/errorMessages';
import { toFailure } from '../errors/gatewayFailure';
import { Redactor } from '../answer/redactor';
import type { Wiring } from './wiring';

/** Internal name of the credential type. */
export const CREDENTIAL_TYPE = 'unifiedAiGatewayApi';

/** The fields of the credential, as n8n passes them to a node. */
export interface GatewayCredential extends Partial<Wiring> {
	baseUrl: string;
	apiKey: string;
	alternateBaseUrl?: string;
	utilitiesBaseUrl?: string;
	messagesAuthentication?: 'bearer' | 'xApiKey';
	messagesVersionHeader?: string;
	messagesVersion?: string;
	/** 0 for no limit. */
	requestsPerMinute?: number;
	/** Name of the header for idempotency keys; empty for none. */
	idempotencyHeader?: string;
}

/**
 * The credential that is selected in a node.
 *
 * @throws GatewayFailure (kind `settings`) when there is none, or n8n cannot read it
 */
export async function credentialOf(
	context: Pick<IExecuteFunctions, 'getCredentials' | 'getNode'>,
): Promise<GatewayCredential> {
	try {
		return await context.getCredentials<GatewayCredential>(CREDENTIAL_TYPE);
	} catch (error) {
		const { name, credentials } = context.getNode();
		throw settingsFailure(
			credentials?.[CREDENTIAL_TYPE]
				? `The credential of the node "${name}" cannot be used: ${toFailure(error).message}`
				: `No credential is selected in the node "${name}"`,
			'Open the node. Under Credential, select the credential of your gateway, or create one.',
		);
	}
}

/** Headers that requests have anyway, and that nothing may replace. */
const RESERVED_HEADERS =
	/^(accept|authorization|connection|content-.*|cookie|expect|host|te|trailer|transfer-encoding|upgrade|x-api-key)$/i;

const isHeaderName = (text: string) =>
	/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text) && !RESERVED_HEADERS.test(text);
const isHeaderValue = (text: string) => !/[^\t\x20-\x7e\x80-\xff]/.test(text);

/** The key alone: what is copied often has blanks around it, or the word that goes before it in the header. */
function keyOf({ apiKey }: GatewayCredential): string {
	return (apiKey ?? '').trim().replace(/^bearer\s+/i, '');
}

/** Removes the key of a credential. */
export function redactorOf(credential: GatewayCredential): Redactor {
	return new Redactor([keyOf(credential)]);
}

/** A URL of the messages endpoint (interface, 4.2). */
const MESSAGES_ENDPOINT = /\/v1\/messages\/?(\?|$)/;

/**
 * The headers that authenticate a request (interface, section 5): a bearer token, or `x-api-key` for the messages
 * endpoint if the credential says so. The messages endpoint also gets its version header.
 */
export function authenticationHeaders(credential: GatewayCredential, url: string): Record<string, string> {
	const messages = MESSAGES_ENDPOINT.test(url);
	const key = keyOf(credential);
	const headers: Record<string, string> =
		messages && credential.messagesAuthentication === 'xApiKey'
			? { 'x-api-key': key }
			: { Authorization: `Bearer ${key}` };
	if (messages) {
		headers[credential.messagesVersionHeader?.trim() || 'msgapi-version'] =
			credential.messagesVersion?.trim() || '2023-06-01';
	}
	return headers;
}

/**
 * Checks that the fields of a credential can be sent as headers: Node refuses other characters only when it sends them.
 *
 * @throws GatewayFailure (kind `settings`) that names the field
 */
export function checkHeaderFields(credential: GatewayCredential): void {
	const { messagesVersion = '', messagesVersionHeader, idempotencyHeader } = credential;
	const key = keyOf(credential);
	if (key === '') {
		throw settingsFailure(
			'API Key in the credential is empty',
			'Enter the key that you created in the console of your gateway.',
		);
	}
	if (/\s/.test(key)) {
		throw settingsFailure(
			'API Key in the credential contains a space or a line break',
			'Enter the key again, as one word and without anything before or after it.',
		);
	}
	for (const [field, text] of Object.entries({ 'API Key': key, 'Messages Version': messagesVersion })) {
		if (isHeaderValue(text.trim())) continue;
		throw settingsFailure(
			`${field} in the credential contains a character that cannot be sent`,
			'Enter it again, without line breaks, spaces, or characters of other scripts.',
		);
	}
	checkHeaderName('Messages Version Header', messagesVersionHeader);
	checkHeaderName('Idempotency Header', idempotencyHeader, ', for example Idempotency-Key');
}

function checkHeaderName(field: string, text = '', example = ''): void {
	const name = text.trim();
	if (name === '' || isHeaderName(name)) return;
	throw settingsFailure(
		`${field} in the credential cannot be "${name.slice(0, 100)}"`,
		`Enter the name of the header that the documentation of your gateway gives${example}, or leave the field empty.`,
	);
}
