/**
 * Writes `data/encodedNotes.ts`: every beat as MP3 frames and Opus packets that can be joined in any order. Run it
 * after a change to `notes.ts`, on a machine with ffmpeg: `npx tsx emulator/audio/encodeNotes.ts`.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beatPcm, noteCount } from './notes';
import { mp3FrameBytes, mp3FramesPerBeat } from './mp3';
import { opusPacketsPerBeat } from './oggOpus';

const sampleRate = 24_000;
const silence = (samples: number) => Buffer.alloc(samples * 2);

function ffmpeg(pcm: Buffer, options: string[]): Buffer {
	const input = ['-f', 's16le', '-ar', String(sampleRate), '-ac', '1', '-i', 'pipe:0'];
	const run = spawnSync('ffmpeg', ['-v', 'error', ...input, ...options, 'pipe:1'], { input: pcm });
	if (run.status !== 0) throw new Error(`ffmpeg failed: ${run.stderr?.toString() ?? run.error?.message}`);
	return run.stdout;
}

/** Without a bit reservoir every frame stands alone. The silence in front makes the beat begin with frame 6. */
function mp3Beat(note: number): Buffer {
	const encoderAndDecoderDelay = 1105;
	const firstFrame = 6;
	const pcm = Buffer.concat([
		silence(firstFrame * 576 - encoderAndDecoderDelay),
		beatPcm(note, sampleRate),
		silence(6 * 576),
	]);
	const lame = [
		'-c:a',
		'libmp3lame',
		'-b:a',
		'32k',
		'-reservoir',
		'0',
		'-write_xing',
		'0',
		'-id3v2_version',
		'0',
	];
	const encoded = ffmpeg(pcm, [...lame, '-f', 'mp3']);
	return encoded.subarray(firstFrame * mp3FrameBytes, (firstFrame + mp3FramesPerBeat) * mp3FrameBytes);
}

/** The packets of an Ogg file, which holds one stream. */
function oggPackets(file: Buffer): Buffer[] {
	const packets: Buffer[] = [];
	let parts: Buffer[] = [];
	for (let page = 0; page < file.length;) {
		const segments = file[page + 26];
		let position = page + 27 + segments;
		for (const length of file.subarray(page + 27, page + 27 + segments)) {
			parts.push(file.subarray(position, position + length));
			position += length;
			if (length < 255) {
				packets.push(Buffer.concat(parts));
				parts = [];
			}
		}
		page = position;
	}
	return packets;
}

/** With constant bit rate all packets have one size. Expecting losses keeps the encoder from leaning on earlier packets. */
function opusBeat(note: number): Buffer {
	const firstPacket = 5;
	const pcm = Buffer.concat([silence(firstPacket * 480), beatPcm(note, sampleRate), silence(5 * 480)]);
	const opus = [
		'-c:a',
		'libopus',
		'-b:a',
		'24k',
		'-vbr',
		'off',
		'-frame_duration',
		'20',
		'-packet_loss',
		'100',
	];
	const packets = oggPackets(ffmpeg(pcm, [...opus, '-f', 'ogg'])).slice(2);
	return Buffer.concat(packets.slice(firstPacket, firstPacket + opusPacketsPerBeat));
}

const notes = Array.from({ length: noteCount + 1 }, (_, note) => note);
const list = (beats: Buffer[]) => beats.map((beat) => `\t'${beat.toString('base64')}',\n`).join('');
writeFileSync(
	join(__dirname, 'data', 'encodedNotes.ts'),
	`/** Written by \`encodeNotes.ts\`; do not edit. One entry per note, the rest first, in base64. */\n` +
		`export const mp3Beats: readonly string[] = [\n${list(notes.map(mp3Beat))}];\n\n` +
		`/** Opus packets of equal size. */\nexport const opusBeats: readonly string[] = [\n${list(notes.map(opusBeat))}];\n`,
);
