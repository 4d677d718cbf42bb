# HBase in one JVM for compose.yaml: for trying things out, not for data. Its jars come from Maven, by the pom here.
# It was written on a machine without a container engine and has not been built there.

FROM maven:3.9-eclipse-temurin-17 AS jars
WORKDIR /build
COPY hbase/pom.xml .
RUN mvn -q -B dependency:copy-dependencies -DoutputDirectory=/out/lib

FROM eclipse-temurin:17-jre
RUN useradd --system --uid 65532 --create-home --home-dir /data hbase
COPY --from=jars /out/lib /opt/hbase/lib
COPY hbase/hbase-site.xml hbase/log4j.properties /opt/hbase/conf/
USER 65532
WORKDIR /data
VOLUME /data
EXPOSE 2181 16000 16020
# Java 17 closes the packages that HBase 2.6 reaches into.
ENTRYPOINT ["java", "-Xmx1g", \
  "--add-opens", "java.base/java.lang=ALL-UNNAMED", \
  "--add-opens", "java.base/java.lang.reflect=ALL-UNNAMED", \
  "--add-opens", "java.base/java.nio=ALL-UNNAMED", \
  "--add-opens", "java.base/java.util=ALL-UNNAMED", \
  "--add-opens", "java.base/java.util.concurrent=ALL-UNNAMED", \
  "--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED", \
  "--add-opens", "java.base/jdk.internal.ref=ALL-UNNAMED", \
  "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED", \
  "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", \
  "-Dzookeeper.admin.enableServer=false", \
  "-cp", "/opt/hbase/conf:/opt/hbase/lib/*", \
  "org.apache.hadoop.hbase.master.HMaster", "start"]
