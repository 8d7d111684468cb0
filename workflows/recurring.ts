import type { Recurring } from '../infra/orchestration/recurring.ts'
import { ids, type QuestionKey, type ScheduleKey } from './ids.ts'

const watchQuestion: Recurring<QuestionKey> = {
  id: ids.watchQuestion,
  title: ({ name }) => `Watch the saved question ${name}`,
  step: 'evaluateWatch',
  line: ({ name }) => `evaluate the watch of ${name}, where it is due`,
}

const scheduleQuestion: Recurring<ScheduleKey> = {
  id: ids.scheduleQuestion,
  title: ({ name, place }) => `Run the saved question ${name} at the times of schedule ${place}`,
  step: 'runSchedule',
  line: ({ name, place }) => `run schedule ${place} of ${name}, where it is due`,
}

/** The workflows of saved questions on Temporal, by the names under which they run. */
export const recurring = { watchQuestion, scheduleQuestion }
