import { toFailure } from '../../shared/failure/failure';
import type { Sound } from '../../audio/audioFormat';
import { Joiner } from '../../audio/joiner';
import type { Story, StoryPart } from './story';

/**
 * Joins the stories that have not failed, and notes their places. One that cannot be read, or does not fit, fails.
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

/** Reads a part. Retry asks again for one that cannot be read; one with another sound would be the same again. */
async function readPart(joiner: Joiner, part: StoryPart): Promise<Sound> {
	const { source, noteUnusable } = part;
	const sound = await joiner.read(source).catch(async (error: unknown) => {
		if (!noteUnusable) throw error;
		const failure = toFailure(error);
		await noteUnusable(failure);
		throw failure;
	});
	joiner.requireSameKind(source, sound);
	part.problem ??= sound.problem;
	return sound;
}
