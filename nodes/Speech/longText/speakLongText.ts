import { toFailure } from '../../shared/errors/gatewayFailure';
import { storeFile } from '../../shared/files/storeFile';
import { streamFrom } from '../../shared/answer/byteStream';
import type { Call } from '../../shared/run/call';
import type { OperationFailure } from '../../shared/run/operation';
import { joinAudio } from '../audio/formats';
import { withParts } from '../episode/episodeResults';
import { partFailure, recordStories } from '../episode/recordStories';
import type { SpeechSettings, StoredAudio } from '../speak';

/**
 * Generates speech from the parts of a long text and joins it into one file.
 *
 * @param nameFor returns the name of the file
 * @returns the file; or, when a part failed or the parts do not fit together, the failure with the finished parts as
 *   separate files (`data_1`, `data_3`, …)
 */
export async function speakJoined(
	call: Call,
	settings: SpeechSettings,
	texts: string[],
	nameFor: (extension: string) => string,
): Promise<StoredAudio | OperationFailure> {
	const [recording] = await recordStories([{ call, title: '', texts, settings }], true);
	if (recording.failure) return withParts(recording, recording.failure);
	try {
		const joiner = await joinAudio(recording.parts.map(({ source }) => source));
		const file = await storeFile(call, streamFrom(joiner.chunks()), joiner.mimeType, nameFor);
		return { file, durationSeconds: joiner.seconds };
	} catch (error) {
		return withParts(recording, toFailure(error));
	}
}

/**
 * Generates speech from the parts of a long text, each of which can fail on its own.
 *
 * @param stopAtFailure whether no further part starts after one has failed
 * @returns what became of each part; undefined for one that did not start
 */
export async function speakSeparately(
	call: Call,
	settings: SpeechSettings,
	texts: string[],
	stopAtFailure: boolean,
): Promise<Array<StoredAudio | OperationFailure | undefined>> {
	const stories = texts.map((text) => ({ call, title: '', texts: [text], settings }));
	const recordings = await recordStories(stories, stopAtFailure);
	return recordings.map(({ parts: [part], failure }, index) => {
		const isMissing = failure?.kind === 'cancelled' && !call.signal?.aborted;
		return failure && !isMissing ? { failure: partFailure(failure, index, texts) } : part?.audio;
	});
}
