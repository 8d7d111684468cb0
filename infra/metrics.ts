import { statfs } from 'node:fs/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { commit, version } from './version.ts'

const verdictsOfHooks = [
  ...['accepted', 'repeated', 'challenge', 'refused', 'failed'],
  ...['unsigned', 'wrong_signature', 'too_old', 'too_far_ahead'],
]

const outcomesOfSources = ['accepted', 'refused', 'skipped', 'lost']

/** Every metric of Weir, under its one name. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const ofStreams = {
    eventsAccepted: new Counter({
      name: 'weir_events_accepted_total',
      help: 'Events that were acknowledged.',
      labelNames: ['stream'] as const,
      registers,
    }),
    eventsRefused: new Counter({
      name: 'weir_events_refused_total',
      help: 'Events that were refused with a 4xx, or listed as bad in a batch.',
      labelNames: ['stream'] as const,
      registers,
    }),
    eventsRejected: new Counter({
      name: 'weir_events_rejected_total',
      help: 'Acknowledged events that ClickHouse would not take; they stand in the __rejected table of the stream.',
      labelNames: ['stream'] as const,
      registers,
    }),
    predictionFailures: new Counter({
      name: 'weir_prediction_failures_total',
      help: 'Events on which a model failed, which were stored without the computed attribute; without a stream: rows of files.',
      labelNames: ['stream'] as const,
      registers,
    }),
    unscoredEvents: new Counter({
      name: 'weir_unscored_events_total',
      help: 'Events that were stored without an attribute that a model fills, by the reason.',
      labelNames: ['stream', 'attribute', 'reason'] as const,
      registers,
    }),
    rulesDropped: new Counter({
      name: 'weir_rules_dropped_total',
      help: 'Events that rules forgot before their time: past 10,000 of a key, or past MAX_RULES_MB.',
      labelNames: ['stream'] as const,
      registers,
    }),
    reconcileRepaired: new Counter({
      name: 'weir_reconcile_repaired_total',
      help: 'Keys of tables that did not fit their events and were repaired.',
      labelNames: ['stream'] as const,
      registers,
    }),
  }
  const hookDeliveries = new Counter({
    name: 'weir_hook_deliveries_total',
    help: 'Deliveries to signed webhooks, by what came of them.',
    labelNames: ['hook', 'verdict'] as const,
    registers,
  })
  const importedRows = new Counter({
    name: 'weir_imported_rows_total',
    help: 'Rows of files that imports brought to streams, by what came of them.',
    labelNames: ['outcome'] as const,
    registers,
  })
  const sourceMessages = new Counter({
    name: 'weir_source_messages_total',
    help: 'Messages of topics of others, by source and by what came of them.',
    labelNames: ['source', 'outcome'] as const,
    registers,
  })
  new Gauge({
    name: 'weir_build_info',
    help: '1; the version and the commit of this build are its labels.',
    labelNames: ['version', 'commit'] as const,
    registers,
  }).set({ version: version(), commit: commit() ?? 'unknown' }, 1)
  return {
    registry,
    ...ofStreams,
    hookDeliveries,
    importedRows,
    sourceMessages,
    ...createWatches(registry),
    /** Ends the counts of a stream that is deleted: names that come and go would fill memory and every scrape. */
    forgetStream(stream: string): void {
      for (const counter of Object.values(ofStreams)) counter.remove({ stream })
    },
    /** Ends the counts of a hook that is deleted. */
    forgetHook(hook: string): void {
      for (const verdict of verdictsOfHooks) hookDeliveries.remove({ hook, verdict })
    },
    /** Ends the counts of a source that is deleted. */
    forgetSource(source: string): void {
      for (const outcome of outcomesOfSources) sourceMessages.remove({ source, outcome })
    },
    batches: new Histogram({
      name: 'weir_feeder_batch_seconds',
      help: 'Time that one insert of the feeder took.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    batchRows: new Histogram({
      name: 'weir_feeder_batch_rows',
      help: 'Events in one insert of the feeder.',
      buckets: [1, 10, 100, 1_000, 10_000, 100_000],
      registers,
    }),
    feederFailures: new Counter({
      name: 'weir_feeder_failures_total',
      help: 'Inserts of the feeder that failed and were tried again.',
      registers,
    }),
    notifications: new Counter({
      name: 'weir_notifications_total',
      help: 'Notifications that were sent, each one row for its matches.',
      registers,
    }),
    notificationTries: new Counter({
      name: 'weir_notification_tries_total',
      help: 'Tries to deliver a notification to one endpoint, by what came of them.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    watchEvaluations: new Counter({
      name: 'weir_watch_evaluations_total',
      help: 'Evaluations of watches of saved questions, by what came of them.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    watchesSkipped: new Counter({
      name: 'weir_watch_skipped_total',
      help: 'Times of watches that passed without an evaluation.',
      registers,
    }),
    scheduleRuns: new Counter({
      name: 'weir_schedule_runs_total',
      help: 'Runs of schedules of saved questions, by what came of them.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    logBytes: new Gauge({
      name: 'weir_log_bytes',
      help: 'Bytes of events in the log that are not in ClickHouse yet.',
      registers,
    }),
    logLag: new Gauge({
      name: 'weir_log_lag_seconds',
      help: 'Age of the oldest event in the log that is not in ClickHouse yet.',
      registers,
    }),
    partUp: new Gauge({
      name: 'weir_part_up',
      help: 'Whether a part of /health/ready is up: 1 or 0.',
      labelNames: ['part'] as const,
      registers,
    }),
    backupSuccess: new Gauge({
      name: 'weir_backup_last_success_timestamp',
      help: 'When the latest copy of all data was taken that is whole, in seconds since 1970; 0 where there is none yet.',
      registers,
    }),
    backupShipped: new Gauge({
      name: 'weir_backup_shipped_until',
      help: 'All that was acknowledged until then is where BACKUP_TO says, in seconds since 1970.',
      registers,
    }),
    backupInterval: new Gauge({
      name: 'weir_backup_interval_seconds',
      help: 'How often the log is shipped to BACKUP_TO: BACKUP_EVERY_S; 0 where it is not.',
      registers,
    }),
    backupWaiting: new Gauge({
      name: 'weir_backup_waiting_bytes',
      help: 'Bytes of commits of the log that wait for BACKUP_TO.',
      registers,
    }),
    clockAhead: new Gauge({
      name: 'weir_clock_ahead_seconds',
      help: "How far the times of new events are ahead of the computer's own: its clock was ahead once.",
      registers,
    }),
    lostParts: new Gauge({
      name: 'weir_lost_parts',
      help: 'Parts of the tables of embedded ClickHouse that were there before, and were gone at the start of this process.',
      registers,
    }),
    ...createModelMetrics(registers),
    liveLag: new Histogram({
      name: 'weir_live_lag_seconds',
      help: 'Time from an event to its way to a live stream whose reader keeps up.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    rulesLate: new Histogram({
      name: 'weir_rules_late_seconds',
      help: 'How late the rows of events that met no other were made: of each turn the latest, behind the second for which the clock waits.',
      buckets: [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300],
      registers,
    }),
    rulesHeld: new Histogram({
      name: 'weir_rules_held_seconds',
      help: "Time for which a turn held the other events of its schema: it waited for rows before a rule's time, an entity, a table or a model.",
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    queries: new Histogram({
      name: 'weir_query_seconds',
      help: 'Time that a query took, by its form: the kind of a statement, graph, or analysts.',
      labelNames: ['form'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    limitsHit: new Counter({
      name: 'weir_limits_hit_total',
      help: 'Requests that were refused or stopped because a setting bounds them.',
      labelNames: ['setting'] as const,
      registers,
    }),
    trainings: new Counter({
      name: 'weir_trainings_total',
      help: 'Trainings that ended in this process, by their train_req_state.',
      labelNames: ['state'] as const,
      registers,
    }),
    requests: new Histogram({
      name: 'weir_http_request_seconds',
      help: 'Time from a request to its answer.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
  }
}

/** The metrics of predictions: of events, lines, forecasts and files. */
function createModelMetrics(registers: Registry[]) {
  return {
    predictions: new Histogram({
      name: 'weir_prediction_seconds',
      help: 'Time that a model took for one line, a forecast, or the events that were predicted together.',
      labelNames: ['by'] as const,
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1],
      registers,
    }),
    predictedRows: new Counter({
      name: 'weir_predicted_rows_total',
      help: 'Lines, events, steps of forecasts and rows of files that a model was asked about.',
      labelNames: ['by'] as const,
      registers,
    }),
    eventPredictions: new Counter({
      name: 'weir_predictions_total',
      help: 'Events that were stored with an attribute that a model fills (predicted), or without it, by the reason.',
      labelNames: ['outcome'] as const,
      registers,
    }),
  }
}

/** The metrics whose values are asked for whenever all metrics are. */
function createWatches(registry: Registry) {
  const registers = [registry]
  return {
    /** `waiting` is asked whenever the metrics are. */
    watchAnalysts(waiting: () => number): void {
      new Gauge({
        name: 'weir_analysts_waiting',
        help: "Analysts' queries that wait for their places.",
        registers,
        collect() {
          this.set(waiting())
        },
      })
    },
    /** `readers` is asked whenever the metrics are. */
    watchLive(readers: () => number): void {
      new Gauge({
        name: 'weir_live_readers',
        help: 'Live streams that are open.',
        registers,
        collect() {
          this.set(readers())
        },
      })
    },
    /** `size` is asked whenever the metrics are. */
    watchSessions(size: () => { readonly sessions: number; readonly bytes: number }): void {
      new Gauge({
        name: 'weir_model_sessions',
        help: 'Models that are open for prediction.',
        registers,
        collect() {
          this.set(size().sessions)
        },
      })
      new Gauge({
        name: 'weir_model_session_bytes',
        help: 'Bytes of the files of models that are open for prediction.',
        registers,
        collect() {
          this.set(size().bytes)
        },
      })
    },
    /** `lags` is asked whenever the metrics are. */
    watchSources(
      lags: () => readonly { readonly source: string; readonly partition: string; readonly lag: number }[],
    ): void {
      new Gauge({
        name: 'weir_source_lag',
        help: 'Messages of a topic of others that its source has not brought yet, by source and partition.',
        labelNames: ['source', 'partition'] as const,
        registers,
        collect() {
          this.reset()
          for (const { lag, ...labels } of lags()) this.set(labels, lag)
        },
      })
    },
    /** The disk of the folder is looked at whenever the metrics are. */
    watchDisk(folder: string): void {
      const gauges = [
        { name: 'weir_disk_free_bytes', help: 'Bytes that are free on the disk of DATA_DIR.', of: ['bavail'] },
        { name: 'weir_disk_total_bytes', help: 'Bytes of the disk of DATA_DIR.', of: ['blocks'] },
      ] as const
      for (const {
        name,
        help,
        of: [blocks],
      } of gauges) {
        new Gauge({
          name,
          help,
          registers,
          async collect() {
            const found = await statfs(folder).catch(() => undefined)
            // A disk that is gone has no room.
            this.set(found ? found[blocks] * found.bsize : 0)
          },
        })
      }
    },
    /** `bytes` is asked whenever the metrics are. */
    watchRules(bytes: () => number): void {
      new Gauge({
        name: 'weir_rules_state_bytes',
        help: 'Bytes on the disk of the events that rules remember.',
        registers,
        collect() {
          this.set(bytes())
        },
      })
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>
