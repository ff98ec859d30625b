import { answerFailure, cancelledFailure } from '../../shared/failure/words';
import { type GatewayFailure, toFailure } from '../../shared/failure/failure';
import { firstWords } from '../../shared/files/storeFile';
import { runPool } from '../../shared/run/pool';
import { speak } from '../speak';
import { storedSource } from '../storeSpeech';
import type { Story, StoryPart } from './story';

/** Speaks the texts of all stories, as many at once as the run may send. */
export async function recordStories(stories: Story[], stopAtFailure: boolean): Promise<void> {
	const [{ call }] = stories;
	const texts = stories.flatMap((story) => story.texts.map((_, index) => ({ story, index })));
	const record = async ({ story, index }: (typeof texts)[number]): Promise<boolean> => {
		try {
			// The other parts of a story are of no use when one of them has failed.
			if (!story.failure) story.parts.push(await partOf(story, index));
		} catch (error) {
			const failure = partFailure(toFailure(error), index, story.texts);
			// The first failure is that of the story, which says as well that another part may be paid for.
			if (!story.failure) story.failure = failure;
			else story.failure = story.failure.after(failure);
		}
		return story.failure !== undefined;
	};
	await runPool(texts, record, { ...call.pool, stopsAt: (failed) => failed && stopAtFailure });
	for (const story of stories) {
		story.parts.sort((one, other) => one.number - other.number);
		if (story.parts.length < story.texts.length) story.failure ??= cancelledFailure({ attempts: 0 });
	}
}

async function partOf({ call, settings, texts, title }: Story, index: number): Promise<StoryPart> {
	const [number, text] = [index + 1, texts[index]];
	const { value: audio, noteUnusable } = await speak(call, settings!, text, title);
	const fail = (what: string) => answerFailure(`the audio of part ${number} ${what}`);
	return {
		number,
		text,
		source: storedSource(call, audio.file, fail),
		audio,
		noteUnusable,
		problem: audio.problem,
	};
}

/** Quotes the beginning of the part if there are several. */
export function partFailure(failure: GatewayFailure, index: number, texts: string[]): GatewayFailure {
	if (texts.length === 1) return failure;
	const text = firstWords(texts[index]);
	const facts = {
		...failure.facts,
		partial: { ...failure.facts.partial, part: index + 1, parts: texts.length, text },
	};
	const message = `Part ${index + 1} of ${texts.length}, which begins with “${text}”, was not generated: ${failure.message}`;
	return failure.saying({ message }, facts);
}
