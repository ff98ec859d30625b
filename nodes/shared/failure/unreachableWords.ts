import type { GatewayFailure } from './failure';
import type { Words } from './statusWords';

/** The reason why a connection could not be made. Nothing was sent. */
export interface Unreachable {
	reason: UnreachableReason;
	/** The words of n8n, or the status with which a proxy refused a tunnel. */
	detail?: string;
	/** The server that n8n tried to connect to, if the error names it: the gateway, or a proxy on the way to it. */
	peer?: {
		/** A name, if it could not be resolved; otherwise an IP address. */
		host?: string;
		port?: number;
	};
}

/** An address that cannot be reached, as messages name it. */
interface Named {
	/** A name or an IP address, without the port. */
	host: string;
	hostAndPort: string;
	isGateway: boolean;
	detail: string;
}

/** Message and advice for each reason. */
export const UNREACHABLE = {
	name: ({ host }) => [
		`The address ${host} does not exist`,
		'Check Base URL in the credential for typos, and check that this n8n can reach the internet.',
	],
	refused: ({ hostAndPort, isGateway }) => [
		isGateway ? `No gateway answers at ${hostAndPort}` : `No server answers at ${hostAndPort}`,
		'Check the host and port of Base URL in the credential, and check that the gateway is running. Inside Docker, localhost is the container itself.',
	],
	timeout: ({ hostAndPort }) => [
		`The connection to ${hostAndPort} timed out`,
		'Check the host and port of Base URL in the credential, and whether a firewall blocks the way there from this n8n. If it uses a proxy, HTTP_PROXY, HTTPS_PROXY, and NO_PROXY in its environment say which.',
	],
	tunnel: ({ host, hostAndPort, detail }) => [
		`The proxy of this n8n did not connect to ${hostAndPort} (status ${detail})`,
		`Check that the proxy can reach this address and allows it, or add ${host} to NO_PROXY in the environment of this n8n, and restart n8n.`,
	],
	secure: ({ hostAndPort }) => [
		`A secure connection to ${hostAndPort} could not be established`,
		'Check whether Base URL in the credential should start with http:// instead of https://.',
	],
	expired: ({ hostAndPort }) => [
		`The certificate of ${hostAndPort} is not valid at this time`,
		'It has expired, or is not valid yet. Ask the operator of the gateway to renew it, and check the clock of this n8n.',
	],
	otherHost: ({ hostAndPort }) => [
		`The certificate of ${hostAndPort} is for another host`,
		'Enter the host that the certificate names in Base URL in the credential, or ask the operator of the gateway for a certificate with this one.',
	],
	certificate: ({ hostAndPort }) => [
		`The certificate of ${hostAndPort} is not valid`,
		'It is self-signed, or from a private certificate authority. Check Base URL in the credential, or let this n8n trust it: set NODE_EXTRA_CA_CERTS to the file with the certificate of the authority, and restart n8n.',
	],
	blocked: ({ host, hostAndPort, detail }) => [
		`n8n does not allow requests to ${hostAndPort}`,
		adviceForBlocked(host, detail),
	],
	invalid: ({ hostAndPort }) => [
		`The request to ${hostAndPort} cannot be sent`,
		'A header or the address contains a character that is not allowed there. Check the credential for line breaks and special characters.',
	],
	other: ({ hostAndPort }) => [
		`${hostAndPort} could not be reached`,
		'Check Base URL in the credential and the network connection of this n8n, with HTTP_PROXY, HTTPS_PROXY, and NO_PROXY in its environment if it uses a proxy.',
	],
} satisfies Record<string, (named: Named) => Words>;

export type UnreachableReason = keyof typeof UNREACHABLE;

/** The words for an address that cannot be reached. @param isGateway false for a file or a redirect */
export function wordsOfUnreachable(
	url: string,
	{ reason, detail = '', peer = {} }: Unreachable,
	isGateway: boolean,
): Words {
	const host = hostOf(url);
	if (isProxy(url, peer)) {
		return [
			`The proxy of this n8n (${[peer.host, peer.port].filter(Boolean).join(':')}) could not be reached`,
			`This n8n sends requests through a proxy, because HTTP_PROXY, HTTPS_PROXY, or ALL_PROXY is set in its environment. Check the address there and that the proxy is running, or add ${host} to NO_PROXY. Then restart n8n.`,
		];
	}
	const [message, advice] = UNREACHABLE[reason]({ host, hostAndPort: hostAndPort(url), isGateway, detail });
	if (isGateway) return [message, advice];
	// A hostile gateway may name a protected address on purpose.
	const ofForeign =
		reason === 'blocked'
			? `Allow it only if you trust the gateway with it. ${advice}`
			: 'Check that this n8n can reach it. If it can, contact the operator of the gateway.';
	return [message, `The gateway sent n8n to this address, with a link or a redirect. ${ofForeign}`];
}

/** Adds to the failure at Base URL that Alternate Base URL has failed as well (`other`). */
export function withoutAlternate(failure: GatewayFailure, other: GatewayFailure): GatewayFailure {
	const why = other.message.charAt(0).toLowerCase() + other.message.slice(1);
	return failure.advising(`Alternate Base URL was tried as well, without success: ${why}.`);
}

/** Adds to a failure that the alternate address was not tried, because it has no such path. */
export function beyondAlternate(failure: GatewayFailure): GatewayFailure {
	return failure.advising('Alternate Base URL was not tried, because it has only the paths under /v1.');
}

function adviceForBlocked(hostname: string, detail: string): string {
	if (!/restricted IP/i.test(detail)) {
		const why = detail === '' ? '' : ` ${detail.trim().replace(/\.$/, '')}.`;
		return `The allowed domains of the credential or the network rules of this n8n do not include this address.${why}`;
	}
	// n8n compares names only with addresses that contain one, and ignores an IP address without a prefix length.
	const entry = /^[\d.]+$|:/.test(hostname)
		? `${hostname}/${hostname.includes(':') ? 128 : 32} to N8N_SSRF_ALLOWED_IP_RANGES`
		: `${hostname} to N8N_SSRF_ALLOWED_HOSTNAMES`;
	return `This n8n protects private addresses (N8N_SSRF_PROTECTION_ENABLED). To allow this one, add ${entry}, and restart n8n.`;
}

/** Tells whether a connection was meant for another server than that of the address. */
function isProxy(url: string, { host, port }: NonNullable<Unreachable['peer']>): boolean {
	if (port !== undefined) return port !== portOf(url);
	return host !== undefined && host !== hostOf(url);
}

/** The host of an address, an IPv6 address without its brackets. */
function hostOf(address: string): string {
	return new URL(address).hostname.replace(/^\[(.*)\]$/, '$1');
}

function portOf(address: string): number {
	const { protocol, port } = new URL(address);
	return Number(port || (protocol === 'http:' ? 80 : 443));
}

function hostAndPort(address: string): string {
	return `${new URL(address).hostname}:${portOf(address)}`;
}
