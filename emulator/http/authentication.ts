import type { IncomingHttpHeaders } from 'node:http';
import type { KeyState } from '../journal';

const protectedPaths = /^\/(?:v1|v1beta|v2\/apis)(?:\/|$)/;

/** Whether a path requires a key (section 5). The interface does not say so for `/v2/apis`; the emulator requires one. */
export function needsKey(path: string): boolean {
	return protectedPaths.test(path);
}

function stateOf(value: string | undefined, apiKey: string): KeyState {
	if (!value) return 'missing';
	return value === apiKey ? 'valid' : 'invalid';
}

function bearerState(header: string | undefined, apiKey: string): KeyState {
	if (!header) return 'missing';
	return stateOf(/^Bearer +(\S+) *$/i.exec(header)?.[1] ?? 'malformed', apiKey);
}

/** Looks for the key where the route accepts it: as a bearer token everywhere, in `x-api-key` only on the messages endpoint (section 5). */
export function keyState(path: string, headers: IncomingHttpHeaders, apiKey: string): KeyState {
	const found = [bearerState(headers.authorization, apiKey)];
	if (path === '/v1/messages') found.push(stateOf(headers['x-api-key']?.toString(), apiKey));
	if (found.includes('valid')) return 'valid';
	return found.includes('invalid') ? 'invalid' : 'missing';
}

/** Copies the headers of a request and replaces the value of each key header with its `KeyState`. */
export function withoutKeys(headers: IncomingHttpHeaders, apiKey: string): Record<string, string> {
	const copy: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) copy[name] = String(value);
	copy.authorization = bearerState(headers.authorization, apiKey);
	copy['x-api-key'] = stateOf(headers['x-api-key']?.toString(), apiKey);
	copy['x-goog-api-key'] = stateOf(headers['x-goog-api-key']?.toString(), apiKey);
	return copy;
}
