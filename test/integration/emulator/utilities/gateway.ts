import Fastify from 'fastify';
import { utilitiesRoutes, type UtilitiesOptions } from '../../../../emulator/utilities';

/** 11:30 in China on the first day of the National Day holiday. */
export const noon = Date.parse('2026-10-01T11:30:00+08:00');

/** Only the utility endpoints, on their own port. */
export interface Utilities {
	/** `http://127.0.0.1:<port>` */
	origin: string;
	/** Sends a request without following redirects. @param address below `/v2/apis`, for example `/weather?query=上海` */
	call: (address: string, init?: RequestInit) => Promise<Reply>;
	/** Returns the `data` of a successful JSON response. */
	data: <Data>(address: string) => Promise<Data>;
	close: () => Promise<void>;
}

/** A completely read response. */
export interface Reply {
	status: number;
	contentType: string | null;
	headers: Headers;
	bytes: Buffer;
	text: string;
}

/** The envelope of a JSON response. */
interface Envelope {
	code: number;
	message: string;
	data: unknown;
}

/** Parses the envelope of a JSON response. */
export function envelopeOf({ text }: Reply): Envelope {
	return JSON.parse(text) as Envelope;
}

/** Starts the plugin on an otherwise empty server. `now` returns the time in ms. */
export async function startUtilities(
	now: () => number = () => noon,
	options: Omit<UtilitiesOptions, 'now'> = {},
): Promise<Utilities> {
	const app = Fastify({ forceCloseConnections: true });
	await app.register(utilitiesRoutes, { now, ...options });
	const origin = await app.listen({ host: '127.0.0.1', port: 0 });

	const call: Utilities['call'] = async (address, init) => {
		const response = await fetch(`${origin}/v2/apis${address}`, { redirect: 'manual', ...init });
		const bytes = Buffer.from(await response.arrayBuffer());
		return {
			status: response.status,
			contentType: response.headers.get('content-type'),
			headers: response.headers,
			bytes,
			text: bytes.toString('utf8'),
		};
	};
	const data = async <Data>(address: string) => {
		const reply = await call(address);
		const envelope = envelopeOf(reply);
		if (reply.status !== 200 || envelope.code !== 200) throw new Error(`${address} answered ${reply.text}`);
		return envelope.data as Data;
	};
	return { origin, call, data, close: async () => await app.close() };
}
