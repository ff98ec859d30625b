import { Readable } from 'node:stream';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { blocks } from '../audio/blocks';
import { mp3File, mp3FramesPerBeat } from '../audio/mp3';
import { beatSeconds, type Sound } from '../audio/notes';
import { oggOpusFile, opusPacketsPerBeat } from '../audio/oggOpus';
import { beatCount, melody, type Utterance } from '../audio/speech';
import { spokenSounds, type Steps } from '../audio/spokenSounds';
import { wavFile, wavStepsPerBeat } from '../audio/wav';
import type { SpokenWord } from '../audio/wordTimes';
import type { SpeechShape } from '../behaviour/rule';
import { findModel } from '../catalogue/findModel';
import type { VoiceList } from '../catalogue/voices';
import { invalidRequest } from '../http/errors';
import { exchangeOf } from '../http/exchange';
import { jsonBody } from '../http/jsonBody';
import type { Journal } from '../journal';

const maxInputCharacters = 4096;

interface Format extends Steps {
	contentType: string;
	file: (sounds: Iterable<Sound>, beats: number, gainDb?: number) => Iterable<Buffer>;
}

const formats = {
	mp3: {
		contentType: 'audio/mpeg',
		stepsPerBeat: mp3FramesPerBeat,
		fadingSteps: 1,
		file: (sounds, _beats, gainDb) => mp3File(sounds, gainDb),
	},
	wav: { contentType: 'audio/wav', stepsPerBeat: wavStepsPerBeat, fadingSteps: 0, file: wavFile },
	opus: { contentType: 'audio/ogg', stepsPerBeat: opusPacketsPerBeat, fadingSteps: 0, file: oggOpusFile },
} satisfies Record<string, Format>;

/** A format that the interface does not name (section 4.5: "others may be supported") comes as MP3, and says so. */
function formatOf(name: string): Format {
	return Object.hasOwn(formats, name) ? formats[name as keyof typeof formats] : formats.mp3;
}

/** Any speed is accepted; audio is made at these. */
const audibleSpeeds = { min: 0.25, max: 4 };

const speechRequest = z.object({
	model: z.string(),
	input: z.string(),
	voice: z.string(),
	response_format: z.string().default('mp3'),
	speed: z.number().default(1),
});

function checkInput(input: string): void {
	if (input.trim() === '') throw invalidRequest('Invalid value for "input": there is no text to speak.');
	const { length } = [...input];
	if (length > maxInputCharacters) {
		throw invalidRequest(
			`Invalid value for "input": it has ${length} characters, at most ${maxInputCharacters} are allowed.`,
		);
	}
}

interface Speech {
	sounds: Iterable<Sound>;
	seconds: number;
	words: SpokenWord[] | null;
}

function speak(utterance: Utterance, { timing, silence }: SpeechShape, steps: Steps): Speech {
	if (timing === 'words') return spokenSounds(utterance, steps, silence);
	return { sounds: melody(utterance), seconds: beatCount(utterance) * beatSeconds, words: null };
}

/** `POST /v1/audio/speech` (section 4.5): a streamed audio file whose duration depends on the text. */
export const speechRoutes: FastifyPluginAsync<{ voices: VoiceList; journal: Journal }> = async (
	app,
	{ voices, journal },
) => {
	app.post('/v1/audio/speech', async (request, reply) => {
		const { model, input, voice, response_format, speed } = jsonBody(request, speechRequest);
		findModel(model, 'speech');
		checkInput(input);
		if (!voices.has(voice)) {
			throw invalidRequest(
				`Invalid value for "voice": there is no voice "${voice}". GET /v1/audio/voices lists them.`,
			);
		}
		const utterance = {
			text: input,
			voice,
			speed: Math.min(audibleSpeeds.max, Math.max(audibleSpeeds.min, speed)),
		};
		const { entry, treatment } = exchangeOf(request);
		const format = formatOf(response_format);
		const { sounds, seconds, words } = speak(utterance, treatment.speech, format);
		journal.update(entry, { speech: { text: input, voice, seconds, words } });
		const content = blocks(format.file(sounds, seconds / beatSeconds, treatment.speech.gainDb?.[voice]));
		return reply.type(format.contentType).send(Readable.from(content, { objectMode: false }));
	});
};
