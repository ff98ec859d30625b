import type { GatewayAddresses } from './addresses';
import type { Repeatability } from '../failure/evidence';
import type { HttpMethod } from './transport';

export interface Endpoint {
	method: HttpMethod;
	/** Path after the address, with a leading slash. */
	path: string;
	/** Replaces the path in the key of the lane, if the path names a single task. */
	lane?: string;
	/** The address in the credential that the path belongs to. Default: Base URL. */
	area?: 'utilities';
	repeatability: Repeatability;
	timeoutSeconds: number;
	/** The model that the path names. */
	model?: string;
	/** True if its requests name a model, which the gateway may not have. */
	namesModel?: boolean;
	/** Says what to do if the gateway does not have the path, as a sentence that names the setting for another one. */
	otherPath?: string;
	/** The most requests at once without Parallel Requests, because each of them needs memory. */
	widest: number;
	/** Limits the requests at once at first, if much would be lost with those in progress at a stop. */
	first?: number;
}

/** The settings of requests that cost nothing, unless they are to a utility. */
export const READ = { method: 'GET', repeatability: 'read', timeoutSeconds: 60, widest: 40 } as const;
const CREATE = { method: 'POST', repeatability: 'create', timeoutSeconds: 120, widest: 40 } as const;
export const GENERATE = {
	method: 'POST',
	repeatability: 'generate',
	timeoutSeconds: 300,
	namesModel: true,
	widest: 100,
} as const;
/** The settings of large requests or answers. */
const GENERATE_LARGE = { ...GENERATE, widest: 40 } as const;
/** Few at first, because each costs much; but as many as the answers by which a width is judged. */
const GENERATE_MEDIA = { ...GENERATE_LARGE, first: 6 } as const;
/** Few at once, because recordings are large. */
const UPLOAD = {
	...CREATE,
	timeoutSeconds: 300,
	widest: 10,
	otherPath:
		'Some gateways create voices at another path: enter it as Voice Create Path (Advanced Settings of the credential).',
} as const;
const SUBMIT = {
	...CREATE,
	first: GENERATE_MEDIA.first,
	namesModel: true,
	otherPath:
		'Some gateways take songs at another path: enter it as Music Submit Path (Advanced Settings of the credential).',
} as const;

/** The endpoints of the interface document, by section. Those with a value in their path are built by the nodes. */
export const endpoints = {
	chatCompletions: { ...GENERATE, path: '/v1/chat/completions' }, // 4.1
	messages: { ...GENERATE, path: '/v1/messages' }, // 4.2
	images: { ...GENERATE_MEDIA, path: '/v1/images/generations' }, // 4.4
	speech: { ...GENERATE_MEDIA, path: '/v1/audio/speech' }, // 4.5
	voices: { ...READ, path: '/v1/audio/voices' }, // 4.6
	voicesAlternative: { ...READ, path: '/v1/voice/models/list' }, // 4.6, in one example
	voiceModel: { ...UPLOAD, path: '/v1/voice/model' }, // 4.7
	rerank: { ...GENERATE_LARGE, path: '/v1/rerank' }, // 4.10
	musicSubmit: { ...SUBMIT, path: '/v1/music/generations' }, // 4.8
	models: { ...READ, path: '/v1/models' }, // 4.11
	embeddings: { ...GENERATE_LARGE, path: '/v1/embeddings' }, // 4.12
	subscription: { ...READ, path: '/v1/dashboard/billing/subscription' }, // 4.12
	// Not in the interface; comparable gateways with a subscription endpoint have this one as well.
	billingUsage: { ...READ, path: '/v1/dashboard/billing/usage' },
} satisfies Record<string, Endpoint>;

/** A file of a result, at the gateway or at any other host. */
export const FILE: Endpoint = { ...READ, path: '' };

/** Returns a utility endpoint (4.13). */
export function utilityEndpoint(path: string): Endpoint {
	return { ...READ, area: 'utilities', path };
}

/** Tells whether requests to an endpoint are paid for: what generates or creates something, and the utilities. */
export function isPaid({ repeatability, area }: Endpoint): boolean {
	return repeatability !== 'read' || area === 'utilities';
}

/** Returns the URLs of an endpoint, in order. The alternate address has only `/v1` paths (interface, introduction). */
export function urlsOf(endpoint: Endpoint, addresses: GatewayAddresses): string[] {
	const { base, alternate } = addresses;
	const address = endpoint.area === 'utilities' ? addresses.utilities : base;
	const isAtAlternate = address === base && endpoint.path.startsWith('/v1/');
	const all = [address, ...(alternate && isAtAlternate ? [alternate] : [])];
	return all.map((one) => urlAt(one, endpoint.path));
}

/** Matches the end of an address with its version: `/v3` of Volcengine, `/v4` of Zhipu, `/v1beta/openai` of Gemini. */
const OWN_VERSION = /\/(v[2-9]|v\d+(alpha|beta)\d*)(\/openai)?$/i;

/** Appends a path to an address. If the address ends in another version, `/v1` of the path is left out. */
function urlAt(address: string, path: string): string {
	const isVersioned = path.startsWith('/v1/') && OWN_VERSION.test(address);
	return address + (isVersioned ? path.slice('/v1'.length) : path);
}
