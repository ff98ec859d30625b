import { Readable } from 'node:stream';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { blocks } from '../audio/blocks';
import { mp3File } from '../audio/mp3';
import { oggOpusFile } from '../audio/oggOpus';
import { beatCount, melody } from '../audio/speech';
import { wavFile } from '../audio/wav';
import { findModel } from '../catalogue/findModel';
import type { VoiceList } from '../catalogue/voices';
import { invalidRequest } from '../http/errors';
import { jsonBody } from '../http/jsonBody';

const maxInputCharacters = 4096;

const formats = {
	mp3: { contentType: 'audio/mpeg', file: mp3File },
	wav: { contentType: 'audio/wav', file: wavFile },
	opus: { contentType: 'audio/ogg', file: oggOpusFile },
};

/** A format that the interface does not name (section 4.5: "others may be supported") comes as MP3, and says so. */
function formatOf(name: string) {
	return Object.hasOwn(formats, name) ? formats[name as keyof typeof formats] : formats.mp3;
}

/** The limits of the speed of the audio. A request may have any speed. */
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

/** Serves `POST /v1/audio/speech` (section 4.5), with a streamed audio file whose duration depends on the text. */
export const speechRoutes: FastifyPluginAsync<{ voices: VoiceList }> = async (app, { voices }) => {
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
		const { contentType, file } = formatOf(response_format);
		const content = blocks(file(melody(utterance), beatCount(utterance)));
		return reply.type(contentType).send(Readable.from(content, { objectMode: false }));
	});
};
