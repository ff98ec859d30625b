import { answerFailure } from '../errors/errorMessages';
import { headerValue, type ResponseHeaders } from './headers';

/** Maximum size of a file in bytes. */
const MAX_FILE_BYTES = 2_000_000_000;
/** Maximum size of a compressed file after unpacking, in bytes. Larger files are not sent compressed. */
const MAX_UNPACKED_BYTES = 64_000_000;

/**
 * Passes a body through until it is too long for a file. A few compressed kilobytes can unpack to more than the
 * capacity of a disk.
 *
 * @param headers of the answer; a file with a stated length can only be longer if it was compressed
 * @throws GatewayFailure (kind `answer`) as soon as the limit is exceeded
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
