import { chargedFailure } from '../../shared/errors/errorMessages';
import { toFailure } from '../../shared/errors/gatewayFailure';
import type { Sound } from '../audio/audioFormat';
import { Joiner } from '../audio/joiner';
import type { Story, StoryPart } from './story';

/**
 * Joins the stories that have not failed, and tells them and their parts their place. One whose audio cannot be read, or
 * does not fit the others, fails.
 */
export async function joinStories(stories: Story[], pauseSeconds: number): Promise<Joiner> {
	const joiner = new Joiner();
	const sounds = new Map<Story, Array<[StoryPart, Sound]>>();
	for (const story of stories) {
		if (story.failure) continue;
		try {
			const read: Array<[StoryPart, Sound]> = [];
			for (const part of story.parts) read.push([part, await readPart(joiner, part)]);
			sounds.set(story, read);
		} catch (error) {
			story.failure = toFailure(error);
		}
	}
	for (const [story, parts] of sounds) {
		if (joiner.seconds > 0) joiner.appendSilence(pauseSeconds);
		const startSeconds = joiner.seconds;
		for (const [part, sound] of parts) part.place = joiner.append(sound);
		story.place = { startSeconds, endSeconds: joiner.seconds };
	}
	return joiner;
}

/**
 * Reads a part. One that cannot be read, or has another file format, is discarded: n8n's Retry asks for it again. One with
 * another sound, such as that of another voice, would be the same again, and stays paid for.
 */
async function readPart(joiner: Joiner, { source, discard }: StoryPart): Promise<Sound> {
	const sound = await joiner.read(source).catch(async (error: unknown) => {
		if (!discard) throw error;
		const failure = chargedFailure(toFailure(error));
		await discard(failure);
		throw failure;
	});
	joiner.requireSameKind(source, sound);
	return sound;
}
