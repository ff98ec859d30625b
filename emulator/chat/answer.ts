import { createHash } from 'node:crypto';
import type { AnswerShape } from '../behaviour/rule';
import { type Answer, lastUserText, type Question, thinkingAbout } from './conversation';
import { jsonAnswer, wantsJson } from './jsonAnswer';
import { pointsIn } from './points';
import { reflectionOn } from './reflection';
import { valueFor } from './schemaValue';
import { scriptOf, statedDay } from './script';
import { countTokens, firstTokens } from './tokens';
import { termsOf } from './terms';
import { askedNow, chosenTools } from './toolChoice';
import { askedLanguage } from './translation';

const tokensPerMessage = 4;
const tokensPerImage = 85;

function compose(question: Question): string {
	if (wantsJson(question)) return jsonAnswer(question);
	const points = question.turns.at(-1)?.role === 'tool' ? [] : pointsIn(lastUserText(question));
	if (points.length === 0) return reflectionOn(question);
	const instructions = `${question.system}\n${lastUserText(question)}`;
	return scriptOf(points, {
		spoken: /script|spoken|speak|brief|broadcast|podcast|radio|播|稿|简报|口播/i.test(instructions),
		language: askedLanguage(instructions),
		date: statedDay(instructions),
	});
}

function inputTokens({ system, turns, tools, model }: Question): number {
	const messages = turns.map(
		({ text, images }) => tokensPerMessage + countTokens(text) + (model.vision ? images * tokensPerImage : 0),
	);
	const instructions = system ? tokensPerMessage + countTokens(system) : 0;
	const functions = tools.length > 0 ? countTokens(JSON.stringify(tools)) : 0;
	return messages.reduce((sum, tokens) => sum + tokens, instructions + functions);
}

/** Cuts a text at the first stop sequence, then at the maximum number of tokens. */
function ended(
	text: string,
	{ stop, maxTokens }: Question,
): Pick<Answer, 'text' | 'ending' | 'stopSequence'> {
	const stops = stop
		.filter((sequence) => sequence !== '' && text.includes(sequence))
		.sort((a, b) => text.indexOf(a) - text.indexOf(b));
	const stopSequence = stops[0] ?? null;
	const kept = stopSequence === null ? text : text.slice(0, text.indexOf(stopSequence));
	const allowed = maxTokens === undefined ? kept : firstTokens(kept, maxTokens);
	if (allowed.length < kept.length) return { text: allowed, ending: 'length', stopSequence: null };
	return { text: kept, ending: stopSequence === null ? 'stop' : 'stopSequence', stopSequence };
}

/**
 * Answers a question with tool calls, JSON, a script of the points that it lists, or a reflection on it. The same
 * question always gets the same text.
 * @param salt makes the ids of equal questions differ
 */
export function answerTo(question: Question, salt: string): Answer {
	const id = createHash('sha256')
		.update(`${salt}\n${JSON.stringify(question.turns)}`)
		.digest('hex')
		.slice(0, 24);
	const thinking = question.thinks ? thinkingAbout(question) : '';
	const common = { id, inputTokens: inputTokens(question), thinking };
	const tools = chosenTools(question);
	if (tools.length > 0) {
		const text = askedNow(question);
		const toolCalls = tools.map((tool, index) => ({
			// Each call of an answer has its own id.
			id: index === 0 ? id : `${id.slice(0, -1)}${index}`,
			name: tool.name,
			arguments: valueFor(tool.parameters, { text, points: termsOf(text) }),
		}));
		const thoughts = countTokens(thinking);
		const outputTokens = toolCalls.reduce((sum, call) => sum + countTokens(JSON.stringify(call)), thoughts);
		return {
			...common,
			text: '',
			blockLengths: [],
			toolCalls,
			ending: 'toolCalls',
			stopSequence: null,
			outputTokens,
		};
	}
	const ending = ended(compose(question), question);
	const blockLengths = [ending.text.length];
	return {
		...common,
		...ending,
		blockLengths,
		toolCalls: [],
		outputTokens: countTokens(ending.text) + countTokens(thinking),
	};
}

/** Applies the shape of a rule to an answer, to simulate what models do only occasionally. */
export function shapedAnswer(answer: Answer, shape: AnswerShape | undefined): Answer {
	if (!shape) return answer;
	const { texts = answer.toolCalls.length > 0 ? [] : [answer.text], thinking = '', ending } = shape;
	const text = texts.join('');
	return {
		...answer,
		text,
		blockLengths: texts.map(({ length }) => length),
		thinking,
		ending: ending ?? answer.ending,
		toolCalls: shape.texts ? [] : answer.toolCalls,
		outputTokens: countTokens(text) + countTokens(thinking),
	};
}
