import { answerFailure } from '../errors/errorMessages';
import { headerValue, type ResponseHeaders } from './headers';

/** Most bytes of one file. */
const MAX_FILE_BYTES = 2_000_000_000;
/** What a file may grow to when it is unpacked; larger files are not sent compressed. */
const MAX_UNPACKED_BYTES = 64_000_000;

/**
 * Hands a body on until it is too long for a file: some kilobytes, compressed, can unpack to more than a disk
 * holds.
 *
 * @param headers of the answer; a file that says how long it is cannot be longer unless it was compressed
 * @throws GatewayFailure (kind `answer`) as soon as more has arrived
 */
export async function* withinSize(
	body: AsyncIterable<Buffer>,
	headers: ResponseHeaders,
	maxBytes = mostBytes(headers),
): AsyncGenerator<Buffer> {
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > maxBytes) throw answerFailure(`it is longer than ${Math.round(maxBytes / 1_000_000)} MB`);
		yield chunk;
	}
}

function mostBytes(headers: ResponseHeaders): number {
	const announced = Number(headerValue(headers, 'content-length') ?? Number.NaN);
	return announced > 0 ? Math.max(announced, MAX_UNPACKED_BYTES) : MAX_FILE_BYTES;
}
