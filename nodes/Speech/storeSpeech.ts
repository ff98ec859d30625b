import type { IBinaryData } from 'n8n-workflow';
import { type AudioFormat, type AudioSource, cutOff, type Sound } from '../audio/audioFormat';
import { rawSound, wav } from '../audio/wav';
import type { Answer } from '../shared/answer/answerReaders';
import { streamFrom } from '../shared/answer/byteStream';
import { headerValue, mediaTypeOf, missingPart } from '../shared/plain/headers';
import { type GatewayFailure, toFailure } from '../shared/failure/failure';
import { answerFailure } from '../shared/failure/words';
import { storeFile, openStored } from '../shared/files/storeFile';
import type { Call } from '../shared/run/call';
import { requireAudio } from './audioAnswer';

export interface StoredAudio {
	file: IBinaryData;
	/** Undefined for formats that cannot be measured. */
	durationSeconds: number | undefined;
	/** Says what is wrong with the audio, as the rest of a sentence. It was paid for, so it is kept. */
	problem?: string;
	/** As a header reports it. */
	cost?: number;
}

/** A file that was stored, to be read again. @param fail the failure when it cannot be read or joined */
export function storedSource(
	{ context }: Call,
	{ id, data, bytes }: IBinaryData,
	fail: (what: string) => GatewayFailure,
): AudioSource {
	const unreadable = () => fail('cannot be read in the binary data of n8n');
	return {
		fail,
		size: bytes,
		open: async () =>
			id ? await openStored(context, id, unreadable) : streamFrom([Buffer.from(data, 'base64')]),
	};
}

/** Formats with a header by which players know them; others are those of raw sound, such as PCM. */
const WITH_HEADER = ['mp3', 'opus', 'wav', 'flac', 'aac', 'ogg', 'm4a', 'webm'];
const WITHOUT_HEADER =
	'has no readable header: if it is raw sound (PCM), only programs that are told its sample rate can play it';

/**
 * Stores the audio of a response. If players would show or play something else than its sound, it is stored again with
 * another header, because the right one is known only at the end. @param asked the format of the request
 */
export async function storeSpeech(
	call: Call,
	answer: Answer,
	name: string,
	asked: string,
): Promise<StoredAudio> {
	const { stream, detected, format, scanner } = await requireAudio(answer);
	const file = await storeFile(call, stream, mediaTypeOf(answer), { about: name, fallback: 'speech' });
	if (scanner?.isEmpty) throw answerFailure(`it is a file without sound (${format?.name})`);
	const durationSeconds = scanner?.seconds;
	const problem = (scanner && cutOff(scanner)) ?? missingPart(answer);
	const stored = { file, durationSeconds, problem, cost: answer.cost };
	const source = storedSource(call, file, (what) => answerFailure(`the audio ${what}`));
	// Other sounds in Ogg files cannot be measured.
	const isReadable = scanner
		? durationSeconds !== undefined || detected === 'audio/ogg'
		: detected !== undefined;
	if (isReadable)
		return scanner?.isMisleading ? await rewritten(call, stored, name, format!, source) : stored;
	if (!WITH_HEADER.includes(asked.toLowerCase())) return stored;
	const raw = rawSound(source, headerValue(answer.headers, 'content-type') ?? '');
	return raw ? await rewritten(call, stored, name, wav, source, raw) : { ...stored, problem: WITHOUT_HEADER };
}

/** The audio in a file whose header says what is in it; as it is, if that is not possible. */
async function rewritten(
	call: Call,
	stored: StoredAudio,
	name: string,
	format: AudioFormat,
	source: AudioSource,
	known?: Sound,
): Promise<StoredAudio> {
	try {
		const sound = known ?? (await format.read(source));
		const content = streamFrom(format.write([sound]));
		const file = await storeFile(call, content, format.mimeType, { about: name, fallback: 'speech' });
		return { ...stored, file, durationSeconds: sound.seconds };
	} catch (error) {
		const { message } = toFailure(error);
		return {
			...stored,
			problem: `has a header that does not fit its sound, and could not be mended (${message})`,
		};
	}
}
