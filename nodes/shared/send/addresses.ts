import { settingsFailure } from '../failure/words';
import { withoutEnd } from '../plain/values';
import type { Redactor } from '../answer/redactor';
import type { GatewayCredential } from './credential';
import { decodingsOf } from './wiring';

/** The addresses of a gateway, each without a trailing slash and without `/v1`. */
export interface GatewayAddresses {
	base: string;
	alternate?: string;
	utilities: string;
}

/** Matches the path of an endpoint, which documentation shows after the version of the API. */
const ENDPOINT_PATH =
	/(?<=\/v\d\w{0,9}(\/openai)?)\/(models|chat\/completions|completions|responses|messages|embeddings|rerank|images\/generations|audio\/(speech|voices|transcriptions)|voice\/model|music\/(generations|tasks(\/[^/]*)?)|dashboard\/billing\/subscription)$/i;
/** Matches a version that the nodes send themselves. */
const VERSION = /(\/v1){1,2}$|\/v1beta(\/models\/[^/]*)?$|\/v2\/apis(\/.*)?$/i;

/** Reads the addresses that the credential's key may be sent to. */
export function addressesOf(credential: GatewayCredential): GatewayAddresses {
	const base = readAddress('Base URL', credential.baseUrl);
	if (base === undefined) {
		throw settingsFailure(
			'Base URL is missing in the credential',
			'Open the credential and enter the address of your gateway, for example https://gateway.example.com.',
		);
	}
	return {
		base,
		alternate: readAddress('Alternate Base URL', credential.alternateBaseUrl),
		// A copied address of a utility endpoint often includes the prefix.
		utilities: readAddress('Utilities Base URL', credential.utilitiesBaseUrl)?.replace(/\/v2$/, '') ?? base,
	};
}

function readAddress(field: string, text: string | undefined): string | undefined {
	const trimmed = text?.trim();
	if (!trimmed) return undefined;
	if (!/^[a-z]+:\/\//i.test(trimmed)) {
		throw settingsFailure(
			`${field} in the credential does not start with https:// or http://`,
			'Enter the whole address, for example https://gateway.example.com.',
		);
	}
	const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
	const hasOneScheme = /^https?:\/\/(?!https?:?\/\/)/i.test(trimmed);
	if (!hasOneScheme || !url || url.username || url.password || url.search) {
		throw settingsFailure(
			`${field} in the credential is not a usable web address`,
			'Enter an address that starts with https:// (or http://), for example https://gateway.example.com or http://127.0.0.1:8080. It contains no blank, user name, or question mark, and a port is a number up to 65535.',
		);
	}
	return withoutEnd(`${url.origin}${url.pathname}`, '/').replace(ENDPOINT_PATH, '').replace(VERSION, '');
}

/** Tells whether a URL has the same scheme, host, and port as one of the credential's addresses. */
export function belongsToCredential(url: string, addresses: GatewayAddresses): boolean {
	const { base, alternate = base, utilities } = addresses;
	const origin = originOf(url);
	return origin !== undefined && [base, alternate, utilities].some((own) => originOf(own) === origin);
}

/** Returns an address without the key, which it may contain in the encoding of a URL, also of one inside a URL. */
export function withoutKey(url: string, keyRedactor: Redactor): string {
	for (const text of decodingsOf(url)) {
		const clean = keyRedactor.text(text);
		if (clean !== text) return clean;
	}
	return url;
}

function originOf(url: string): string | undefined {
	return URL.canParse(url) ? new URL(url).origin : undefined;
}
