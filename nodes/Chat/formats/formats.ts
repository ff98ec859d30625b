import { chatCompletions } from './chatCompletions/format';
import type { ChatFormat } from './chatFormat';
import { generateContent } from './generateContent/format';
import { messages } from './messages/format';

/** All formats, one row each. The first is the default. */
export const FORMATS: ChatFormat[] = [chatCompletions, generateContent, messages];
