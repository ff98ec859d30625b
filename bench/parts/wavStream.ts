/** A WAV file of silence (PCM, 16 bit, 24 kHz, mono) with the given number of bytes of audio, in chunks. */
export function* wavOf(bytes: number): Generator<Buffer> {
	const head = Buffer.alloc(44);
	head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
	head.writeUInt32LE(bytes + 36, 4);
	head.set([16, 0, 0, 0, 1, 0, 1, 0], 16);
	head.writeUInt32LE(24_000, 24);
	head.writeUInt32LE(48_000, 28);
	head.set([2, 0, 16, 0], 32);
	head.write('data', 36, 'latin1');
	head.writeUInt32LE(bytes, 40);
	yield head;
	const chunk = Buffer.alloc(64 * 1024);
	for (let sent = 0; sent < bytes; sent += chunk.length)
		yield chunk.subarray(0, Math.min(chunk.length, bytes - sent));
}
