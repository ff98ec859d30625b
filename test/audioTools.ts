import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { path as ffmpegPath } from '@ffmpeg-installer/ffmpeg';
import { path as ffprobePath } from '@ffprobe-installer/ffprobe';

/** The output of ffprobe for an audio file. */
interface Probe {
	format: { format_name: string; duration: string; tags?: Record<string, string> };
	streams: Array<{ codec_name: string; codec_type: string; width?: number; tags?: Record<string, string> }>;
	chapters: Array<{ start_time: string; end_time: string; tags?: { title?: string } }>;
}

/** Runs a program over a file with these bytes. @throws Error when the program fails */
function runOver(bytes: Buffer, program: string, argumentsFor: (file: string) => string[]) {
	const folder = mkdtempSync(path.join(tmpdir(), 'audio-'));
	try {
		const file = path.join(folder, 'audio');
		writeFileSync(file, bytes);
		// The package of the program would do this in an installation script, but this project runs none.
		chmodSync(program, 0o755);
		const run = spawnSync(program, argumentsFor(file), { maxBuffer: 1e9 });
		if (run.error) throw run.error;
		if (run.status !== 0) throw new Error(`${path.basename(program)}: ${String(run.stderr)}`);
		return { output: run.stdout, warnings: String(run.stderr).trim() };
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** Reads the format, streams, tags, and chapters of a file. */
export function probe(bytes: Buffer): Probe {
	const { output } = runOver(bytes, ffprobePath, (file) => [
		...['-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-show_chapters'],
		file,
	]);
	return JSON.parse(String(output)) as Probe;
}

/** Returns the length of an audio file, in seconds. */
export const secondsOf = (bytes: Buffer) => Number(probe(bytes).format.duration);

/**
 * Decodes a file to mono samples of 16 bits at 24 kHz, and returns them with the warnings of the decoder.
 *
 * @throws Error when the decoder meets an error, even if it could continue
 */
export function decode(bytes: Buffer): { samples: Int16Array; warnings: string } {
	const { output, warnings } = runOver(bytes, ffmpegPath, (file) => [
		...['-v', 'warning', '-xerror', '-i', file],
		...['-map', '0:a', '-f', 's16le', '-ac', '1', '-ar', '24000', '-'],
	]);
	const samples = new Int16Array(output.buffer.slice(output.byteOffset, output.byteOffset + output.length));
	// This warning is the only one that is not about a fault of the file.
	return { samples, warnings: warnings.replace(/^Guessed Channel Layout.*$/m, '').trim() };
}

/** A tone of 440 Hz, as an encoder makes it. @param container `mp3`, `ogg`, or `wav` */
export function encode(container: string, codec: string[], seconds: number): Buffer {
	return synthesize(`sine=frequency=440:duration=${seconds}`, container, codec);
}

/** Any sound that ffmpeg can make. @param source in the language of its filters */
export function synthesize(source: string, container: string, codec: string[]): Buffer {
	const program = ['-v', 'error', '-f', 'lavfi', '-i', source, ...codec, '-f', container, '-'];
	chmodSync(ffmpegPath, 0o755);
	const run = spawnSync(ffmpegPath, program, { maxBuffer: 1e9 });
	if (run.status !== 0) throw new Error(String(run.stderr));
	return run.stdout;
}
