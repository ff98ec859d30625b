import { Readable } from 'node:stream';

/** Returns a stream that breaks with this error after these chunks. */
export const brokenStream = (error: Error, ...chunks: string[]) =>
	Readable.from(
		(async function* () {
			for (const chunk of chunks) yield Buffer.from(chunk);
			await Promise.reject(error);
		})(),
	);
