import { useGateway } from '../gateway';

/** 11:30 in China on the first day of the National Day holiday. */
export const noon = Date.parse('2026-10-01T11:30:00+08:00');

/** A completely read response. */
export interface Reply {
	status: number;
	contentType: string | undefined;
	headers: Record<string, unknown>;
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

/** The utility endpoints of an emulator whose time stands still. */
export function useUtilities() {
	const gateway = useGateway({ now: () => noon });
	/** Sends a request without following redirects. @param address below `/v2/apis`, such as `/weather?query=上海` */
	const call = async (address: string): Promise<Reply> => {
		const answer = await gateway.get(`/v2/apis${address}`, { responseType: 'arraybuffer' });
		const { status, headers } = answer;
		const bytes = Buffer.from(answer.data as ArrayBuffer);
		const contentType = headers['content-type'] as string | undefined;
		return { status, contentType, headers, bytes, text: bytes.toString('utf8') };
	};
	/** The `data` of a successful JSON response. */
	const data = async <Data>(address: string) => {
		const reply = await call(address);
		const envelope = envelopeOf(reply);
		if (reply.status !== 200 || envelope.code !== 200) throw new Error(`${address} answered ${reply.text}`);
		return envelope.data as Data;
	};
	return { call, data };
}
