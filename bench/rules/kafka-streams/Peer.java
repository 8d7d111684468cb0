import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * Kafka Streams over the same events as Weir: three rising readings of a car in a row, by a processor and its store, or
 * two streams' latest readings of a car, by its own join of two tables. Exactly once, state in RocksDB.
 *
 * <p>Arguments: the brokers, `pattern` or `join`, the folder of its state, events of a round and stream. Each line of
 * standard input begins a round, which is answered by its events a second (of each stream), from the first record that is
 * produced until all results are committed.
 */
public final class Peer {
  private static final int PARTITIONS = 3;
  private static final int CARS = 100_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] arguments) throws Exception {
    String brokers = arguments[0];
    boolean isJoin = arguments[1].equals("join");
    int batch = Integer.parseInt(arguments[3]);
    String id = "peer-" + arguments[1] + "-" + System.currentTimeMillis();
    List<String> topics = isJoin ? List.of(id + ".readings", id + ".others") : List.of(id + ".readings");
    String made = id + ".made";

    try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
      List<NewTopic> wanted = new ArrayList<>();
      for (String topic : topics) wanted.add(new NewTopic(topic, PARTITIONS, (short) 1));
      wanted.add(new NewTopic(made, PARTITIONS, (short) 1));
      admin.createTopics(wanted).all().get();

      StreamsBuilder builder = isJoin ? join(topics.get(0), topics.get(1), made) : pattern(topics.get(0), made);
      try (KafkaStreams streams = new KafkaStreams(builder.build(), settings(brokers, id, arguments[2]));
          KafkaProducer<String, byte[]> producer = producer(brokers)) {
        streams.start();
        while (streams.state() != KafkaStreams.State.RUNNING) Thread.sleep(5);
        System.out.println("ready");
        BufferedReader asked = new BufferedReader(new InputStreamReader(System.in));
        for (long first = 0; asked.readLine() != null; first += batch) {
          System.out.println(Math.round(round(admin, producer, id, topics, first, batch)));
        }
      }
    }
  }

  private static double round(
      Admin admin, KafkaProducer<String, byte[]> producer, String id, List<String> topics, long first, int batch)
      throws Exception {
    List<String> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (long i = first; i < first + batch; i++) {
      ObjectNode event = JSON.createObjectNode();
      event.put("_pk", 1_700_000_040_000_000L + i * 36_000);
      event.put("car", "car-" + (i * 7_919) % CARS);
      event.put("v", (i * 31) % 97);
      keys.add(event.get("car").asText());
      values.add(JSON.writeValueAsBytes(event));
    }
    long started = System.nanoTime();
    for (int i = 0; i < batch; i++) {
      for (String topic : topics) producer.send(new ProducerRecord<>(topic, keys.get(i), values.get(i)));
    }
    producer.flush();
    while (!isCommitted(admin, id, topics)) Thread.sleep(5);
    return batch / ((System.nanoTime() - started) / 1e9);
  }

  /** Offsets are committed in the transaction of their results. */
  private static boolean isCommitted(Admin admin, String id, List<String> topics) throws Exception {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (String topic : topics)
      for (int i = 0; i < PARTITIONS; i++) asked.put(new TopicPartition(topic, i), OffsetSpec.latest());
    var ends = admin.listOffsets(asked).all().get();
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin.listConsumerGroupOffsets(id).partitionsToOffsetAndMetadata().get();
    return ends.entrySet().stream()
        .allMatch(
            end -> {
              OffsetAndMetadata offset = committed.get(end.getKey());
              return (offset == null ? 0 : offset.offset()) >= end.getValue().offset();
            });
  }

  private static StreamsBuilder join(String readings, String others, String made) {
    StreamsBuilder builder = new StreamsBuilder();
    KTable<String, JsonNode> one = latest(builder, readings);
    KTable<String, JsonNode> other = latest(builder, others);
    one.join(
            other,
            (a, b) -> {
              ObjectNode row = JSON.createObjectNode();
              row.setAll((ObjectNode) a);
              row.set("_jpk1", b.get("_pk"));
              row.set("_j1", b);
              return (JsonNode) row;
            })
        .toStream()
        .to(made, Produced.with(Serdes.String(), json()));
    return builder;
  }

  private static KTable<String, JsonNode> latest(StreamsBuilder builder, String topic) {
    return builder.table(
        topic,
        Consumed.with(Serdes.String(), json()),
        Materialized.<String, JsonNode, KeyValueStore<Bytes, byte[]>>with(Serdes.String(), json()));
  }

  private static StreamsBuilder pattern(String readings, String made) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(
        Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore("runs"), Serdes.String(), Serdes.ByteArray()));
    builder.stream(readings, Consumed.with(Serdes.String(), json()))
        .process(Rising::new, "runs")
        .to(made, Produced.with(Serdes.String(), json()));
    return builder;
  }

  /** Each car's last reading and how many in a row rose up to it. */
  private static final class Rising extends ContextualProcessor<String, JsonNode, String, JsonNode> {
    private KeyValueStore<String, byte[]> runs;

    @Override
    public void init(ProcessorContext<String, JsonNode> context) {
      super.init(context);
      runs = context.getStateStore("runs");
    }

    @Override
    public void process(Record<String, JsonNode> record) {
      byte[] held = runs.get(record.key());
      ByteBuffer last = held == null ? null : ByteBuffer.wrap(held);
      long value = record.value().get("v").asLong();
      long time = record.value().get("_pk").asLong();
      boolean rises = last != null && last.getLong(0) < value;
      int run = rises ? last.getInt(16) + 1 : 0;
      runs.put(record.key(), ByteBuffer.allocate(20).putLong(value).putLong(time).putInt(run).array());
      if (run < 2) return;
      ObjectNode row = record.value().deepCopy();
      row.put("_jpk1", last.getLong(8));
      row.putObject("_j1").put("v", last.getLong(0));
      context().forward(record.withValue(row));
    }
  }

  private static Properties settings(String brokers, String id, String folder) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, id);
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put(StreamsConfig.STATE_DIR_CONFIG, folder);
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
    settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, 1);
    // Without a cache each change of a table makes its row, as each event of Weir does.
    settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
    settings.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
    return settings;
  }

  private static KafkaProducer<String, byte[]> producer(String brokers) {
    Properties settings = new Properties();
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
  }

  private static Serde<JsonNode> json() {
    Serializer<JsonNode> write =
        (topic, node) -> {
          try {
            return node == null ? null : JSON.writeValueAsBytes(node);
          } catch (Exception error) {
            throw new IllegalStateException(error);
          }
        };
    Deserializer<JsonNode> read =
        (topic, bytes) -> {
          try {
            return bytes == null ? null : JSON.readTree(bytes);
          } catch (Exception error) {
            throw new IllegalStateException(error);
          }
        };
    return Serdes.serdeFrom(write, read);
  }
}
